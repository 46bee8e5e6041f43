// npm run bench [name ...]: all benchmarks, or those named.
const BENCHMARKS = {
  dtw: () => import("./dtw.mjs"),
  score: () => import("./score.mjs"),
  load: () => import("./load.mjs"),
  hdf5: () => import("./hdf5.mjs"),
  navmesh: () => import("./navmesh.mjs"),
  navigation: () => import("./navigation.mjs"),
  render: () => import("./render.mjs"),
  "scene-load": () => import("./scene-load.mjs"),
  physics: () => import("./physics.mjs"),
  manipulation: () => import("./manipulation.mjs"),
  rearrange: () => import("./rearrange.mjs"),
  mjcf: () => import("./mjcf.mjs"),
  "manipulation-render": () => import("./manipulation-render.mjs"),
  "mujoco-look": () => import("./mujoco-look.mjs"),
  protocol: () => import("./protocol.mjs"),
  evaluation: () => import("./evaluation.mjs"),
  dashboard: () => import("./dashboard.mjs"),
  "run-list": () => import("./run-list.mjs"),
  frozen: () => import("./frozen.mjs"),
  "closed-loop": () => import("./closed-loop.mjs"),
  bridge: () => import("./bridge.mjs"),
  cluster: () => import("./cluster.mjs"),
  cli: () => import("./cli.mjs"),
};

const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : Object.keys(BENCHMARKS)) {
  const benchmark = BENCHMARKS[name];
  if (!benchmark) {
    console.error(`unknown benchmark "${name}"; valid: ${Object.keys(BENCHMARKS).join(", ")}`);
    process.exit(2);
  }
  await benchmark();
  console.log("");
}
