// Distances and steps on the navmesh of an apartment, compared with the same queries to recast-navigation's classes,
// on one core. The goals per second are 25,000 distances, 60,000 steps, and 10,000 steps with the distance to a goal.
import { importNavMesh, NavMeshQuery } from "recast-navigation";
import { Random } from "../build/core/math/random.js";
import { NavMesh } from "../build/simulator/navmesh/navmesh.js";
import { HABITAT_NAVMESH } from "../build/simulator/navmesh/settings.js";
import { generateApartment } from "../build/simulator/scenes/apartment/apartment.js";
import { solidGeometry } from "../build/simulator/scenes/geometry.js";
import { medianMs, row } from "./measure.mjs";

const SEED = 7;
const BATCH = 1000;
const POINTS = 500;
const STEP_M = 0.25;
const VIEW_POINTS = 300;
const halfExtents = { x: 2, y: 4, z: 2 };

const geometry = solidGeometry(generateApartment(SEED));
let mesh = await NavMesh.build(geometry, HABITAT_NAVMESH, `apartment/${SEED}`);
const random = new Random(1);
const points = Array.from({ length: POINTS }, () => mesh.randomPoint(random, 0));
const peer = new NavMeshQuery(importNavMesh(mesh.save()).navMesh);
const asPoint = ([x, y, z]) => ({ x, y, z });

/** Calls per second, from the median time of a batch. */
const rate = (call) => {
  let n = 0;
  const ms = medianMs(() => {
    for (let i = 0; i < BATCH; i++) call(n++);
  });
  return (BATCH / ms) * 1000;
};
const perSecond = (value) => `${Math.round(value).toLocaleString("en")} /s`;
const times = (ours, theirs) => `${(ours / theirs).toFixed(2)}x`;

console.log(
  `navmesh of apartment/${SEED}: ${geometry.indices.length / 3} triangles, ${mesh.polygonCount} polygons, ` +
    `${mesh.areaM2.toFixed(0)} m2`,
);
const buildMs = [];
for (let i = 0; i < 5; i++) {
  mesh.dispose();
  const started = performance.now();
  mesh = await NavMesh.build(geometry, HABITAT_NAVMESH, `apartment/${SEED}`);
  buildMs.push(performance.now() - started);
}
row("build, median of 5", `${buildMs.sort((a, b) => a - b)[2].toFixed(0)} ms`);

const pair = (n) => [points[n % POINTS], points[(n * 7 + 3) % POINTS]];
const distances = rate((n) => mesh.distance(...pair(n)));
const wrapperDistances = rate((n) => {
  const [from, to] = pair(n);
  const { path } = peer.computePath(asPoint(from), asPoint(to), { halfExtents });
  let sum = 0;
  for (let i = 1; i < path.length; i++)
    sum += Math.hypot(
      path[i].x - path[i - 1].x,
      path[i].y - path[i - 1].y,
      path[i].z - path[i - 1].z,
    );
  return sum;
});
row("distances (goal: at least 25,000)", perSecond(distances));
row("  recast-navigation's computePath", perSecond(wrapperDistances));
row("  ratio", times(distances, wrapperDistances));

/** Moves forward, and turns by a fixed angle when blocked. */
const walker = (step) => {
  let at = points[0];
  let heading = 0;
  return () => {
    const to = [at[0] + STEP_M * Math.sin(heading), at[1], at[2] + STEP_M * Math.cos(heading)];
    const next = step(at, to);
    if (Math.hypot(next[0] - at[0], next[2] - at[2]) < 0.9 * STEP_M) heading += 0.7;
    at = next;
    return at;
  };
};
const steps = rate(walker((at, to) => mesh.step(at, to, true)));
// The Detour calls of Habitat's step: snap both ends, move, and snap the new position.
const wrapperSteps = rate(
  walker((at, to) => {
    const start = peer.findNearestPoly(asPoint(at), { halfExtents });
    peer.findNearestPoly(asPoint(to), { halfExtents });
    const { resultPosition, visited } = peer.moveAlongSurface(
      start.nearestRef,
      start.nearestPoint,
      asPoint(to),
    );
    const { height } = peer.getPolyHeight(visited.at(-1), resultPosition);
    const end = { x: resultPosition.x, y: height, z: resultPosition.z };
    peer.findNearestPoly(end, { halfExtents });
    return [end.x, end.y, end.z];
  }),
);
row("steps of 0.25 m, sliding (goal: at least 60,000)", perSecond(steps));
row("  recast-navigation's classes", perSecond(wrapperSteps));
row("  ratio", times(steps, wrapperSteps));

const walk = walker((at, to) => mesh.step(at, to, true));
const both = rate((n) => mesh.distance(walk(), points[(n >> 9) % POINTS]));
row("steps with the distance to a goal (goal: at least 10,000)", perSecond(both));

const centre = points[5];
const goals = [];
while (goals.length < VIEW_POINTS) {
  const [x, z] = [random.uniform() * 2 - 1, random.uniform() * 2 - 1];
  const goal = mesh.snap([centre[0] + x, centre[1], centre[2] + z]);
  if (goal && mesh.island(goal) === 0) goals.push(goal);
}
const nearest = rate((n) => mesh.distanceToAny(points[n % POINTS], goals));
const oneByOne = distances / VIEW_POINTS;
row(`distance to the nearest of ${VIEW_POINTS} view points`, perSecond(nearest));
row("  ratio to one query per view point", times(nearest, oneByOne));

peer.destroy();
mesh.dispose();
