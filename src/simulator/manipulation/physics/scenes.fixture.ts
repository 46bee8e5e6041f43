/** Options under which friction holds a grasp. */
export function options(more = "", flags = ""): string {
  return `<size memory="4M"/>
  <option timestep="0.002" integrator="implicitfast" cone="elliptic" impratio="100" ${more}>
    <flag ${flags}/>
  </option>`;
}

export const SLEEP = 'sleep="enable"';

export function boxBody(name: string, position: string, mass = 1, half = 0.05): string {
  return `<body name="${name}" pos="${position}"><freejoint/>
    <geom name="${name}_geom" type="box" size="${half} ${half} ${half}" mass="${mass}" condim="4"/>
  </body>`;
}

export const FLOOR = '<geom name="floor" type="plane" size="3 3 0.1" condim="4"/>';

/** Falling boxes, some of which land in a pile. */
export function pile(flags = ""): string {
  const boxes = Array.from({ length: 6 }, (_, i) =>
    boxBody(`box${i}`, `${0.3 * (i % 2) + 0.01 * i} ${0.004 * i} ${0.08 + 0.12 * (i >> 1)}`, 0.3),
  );
  return `<mujoco>${options("", flags)}<worldbody>${FLOOR}${boxes.join("")}</worldbody></mujoco>`;
}

/** A hand on a vertical slide, two fingers, and a box of 4 cm and 200 g between them. */
export function gripper({ friction = 1, flags = "" } = {}): string {
  const finger = (side: number) => `
    <body name="finger${side}" pos="0 ${side * 0.05} 0">
      <joint name="slide${side}" type="slide" axis="0 ${-side} 0" range="0 0.05" damping="5"/>
      <geom name="pad${side}" type="box" size="0.01 0.005 0.02" mass="0.05" condim="4"
        friction="${friction} 0.01 0.0001" priority="1"/>
    </body>`;
  return `<mujoco>${options("", flags)}<worldbody>${FLOOR}
    <body name="hand" pos="0 0 0.02">
      <joint name="lift" type="slide" axis="0 0 1" damping="20"/>
      <geom type="box" size="0.02 0.06 0.01" pos="0 0 0.06" mass="0.5" contype="0" conaffinity="0"/>
      ${finger(1)}${finger(-1)}
    </body>
    ${boxBody("box", "0 0 0.02", 0.2, 0.02)}
  </worldbody>
  <actuator>
    <position name="lift" joint="lift" kp="2000" ctrlrange="0 0.5"/>
    <position name="close1" joint="slide1" kp="400" forcerange="-15 15" ctrlrange="0 0.05"/>
    <position name="close-1" joint="slide-1" kp="400" forcerange="-15 15" ctrlrange="0 0.05"/>
  </actuator></mujoco>`;
}
