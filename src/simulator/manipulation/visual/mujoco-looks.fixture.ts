/**
 * Small models and the colours that MuJoCo's renderer gives to some pixels of a 64 x 64 image of camera `c`: mujoco 3.14.0
 * (PyPI), `mujoco.Renderer` with OSMesa (Mesa 22.3.6, llvmpipe), default options.
 */
export const LOOKS: readonly {
  readonly title: string;
  readonly xml: string;
  /** Column, row, and r, g, b. */
  readonly pixels: readonly (readonly [number, number, number, number, number])[];
}[] = [
  {
    title: "lights primitives from the camera (headlight)",
    xml: `<mujoco>
      <visual>
      </visual>
      <asset>
      </asset>
      <worldbody>
      <camera name="c" pos="1.2 -1 1.1" xyaxes="0.64 0.768 0 -0.46 0.38 0.8"/>
      <geom type="sphere" size=".3" rgba=".8 .2 .2 1" pos="0 0 .3"/>
      <geom type="box" size=".2 .3 .1" pos="-.6 .2 .1" euler="0 0 30"/>
      <geom type="capsule" size=".1 .2" pos=".2 .6 .4" euler="40 0 0"/>
      <geom type="cylinder" size=".1 .2" pos="0 -.5 .2"/>
      <geom type="ellipsoid" size=".1 .2 .3" pos="-.3 -.4 .3"/>
      <geom type="plane" size="2 2 .1" rgba=".6 .6 .6 1"/>
      </worldbody>
      </mujoco>`,
    pixels: [
      [10, 6, 43, 43, 43],
      [32, 6, 79, 20, 20],
      [54, 6, 56, 56, 56],
      [22, 18, 84, 21, 21],
      [42, 18, 78, 20, 20],
      [10, 26, 53, 53, 53],
      [32, 26, 84, 21, 21],
      [54, 26, 52, 52, 52],
      [22, 32, 52, 52, 52],
      [42, 32, 52, 52, 52],
      [10, 40, 47, 47, 47],
      [32, 40, 52, 52, 52],
      [54, 40, 52, 52, 52],
      [22, 52, 52, 52, 52],
      [42, 52, 52, 52, 52],
    ],
  },
  {
    title: "adds ambient, diffuse and specular light of a directional light",
    xml: `<mujoco>
      <visual>
      <headlight active="0"/>
      </visual>
      <asset>
      </asset>
      <worldbody>
      <camera name="c" pos="1.2 -1 1.1" xyaxes="0.64 0.768 0 -0.46 0.38 0.8"/>
      <light type="directional" dir="-.3 .2 -1" castshadow="false" ambient=".1 .1 .2" diffuse=".7 .6 .5" specular=".5 .5 .5"/>
      <geom type="sphere" size=".4" rgba=".8 .2 .2 1" pos="0 0 .4"/>
      <geom type="plane" size="2 2 .1" rgba=".6 .6 .6 1"/>
      </worldbody>
      </mujoco>`,
    pixels: [
      [10, 6, 116, 102, 103],
      [32, 6, 207, 91, 92],
      [54, 6, 116, 102, 103],
      [22, 18, 91, 20, 23],
      [42, 18, 93, 21, 23],
      [10, 26, 116, 102, 103],
      [32, 26, 52, 12, 16],
      [54, 26, 116, 102, 103],
      [22, 32, 116, 102, 103],
      [42, 32, 116, 102, 103],
      [10, 40, 116, 102, 103],
      [32, 40, 116, 102, 103],
      [54, 40, 116, 102, 103],
      [22, 52, 116, 102, 103],
      [42, 52, 116, 102, 103],
    ],
  },
  {
    title: "limits and attenuates a spot",
    xml: `<mujoco>
      <visual>
      <headlight active="0"/>
      </visual>
      <asset>
      </asset>
      <worldbody>
      <camera name="c" pos="1.2 -1 1.1" xyaxes="0.64 0.768 0 -0.46 0.38 0.8"/>
      <light pos=".3 .2 2" dir="-.1 -.1 -1" castshadow="false" cutoff="25" exponent="5" attenuation=".5 .2 .1"/>
      <geom type="sphere" size=".3" rgba=".8 .2 .2 1" pos="0 0 .3"/>
      <geom type="plane" size="2 2 .1" rgba=".6 .6 .6 1"/>
      </worldbody>
      </mujoco>`,
    pixels: [
      [10, 6, 0, 0, 0],
      [32, 6, 135, 34, 34],
      [54, 6, 0, 0, 0],
      [22, 18, 14, 4, 4],
      [42, 18, 49, 12, 12],
      [10, 26, 53, 53, 53],
      [32, 26, 0, 0, 0],
      [54, 26, 64, 64, 64],
      [22, 32, 72, 72, 72],
      [42, 32, 79, 79, 79],
      [10, 40, 58, 58, 58],
      [32, 40, 74, 74, 74],
      [54, 40, 68, 68, 68],
      [22, 52, 58, 58, 58],
      [42, 52, 66, 66, 66],
    ],
  },
  {
    title: "casts shadows of a directional light and a spot",
    xml: `<mujoco>
      <visual>
      <headlight active="0"/>
      </visual>
      <asset>
      </asset>
      <worldbody>
      <camera name="c" pos="1.2 -1 1.1" xyaxes="0.64 0.768 0 -0.46 0.38 0.8"/>
      <light type="directional" dir="-.5 .3 -1" pos="0 0 3" diffuse=".5 .5 .5"/>
      <light pos=".6 .4 2" dir="-.2 -.1 -1" diffuse=".5 .4 .4"/>
      <geom type="box" size=".2 .2 .2" rgba=".8 .2 .2 1" pos="0 0 .4" euler="20 30 10"/>
      <geom type="plane" size="2 2 .1" rgba=".6 .6 .6 1"/>
      </worldbody>
      </mujoco>`,
    pixels: [
      [10, 6, 69, 68, 68],
      [32, 6, 174, 50, 50],
      [54, 6, 69, 68, 68],
      [22, 18, 0, 0, 0],
      [42, 18, 83, 76, 76],
      [10, 26, 98, 92, 92],
      [32, 26, 0, 0, 0],
      [54, 26, 129, 117, 117],
      [22, 32, 66, 66, 66],
      [42, 32, 138, 124, 124],
      [10, 40, 101, 94, 94],
      [32, 40, 123, 112, 112],
      [54, 40, 128, 116, 116],
      [22, 52, 101, 94, 94],
      [42, 52, 113, 104, 104],
    ],
  },
  {
    title: "maps images and cube textures",
    xml: `<mujoco>
      <visual>
      </visual>
      <asset>
      <texture name="t" type="2d" builtin="checker" rgb1="1 .2 .2" rgb2=".2 .2 1" width="64" height="64"/>
      <texture name="c" type="cube" builtin="gradient" rgb1="1 .1 0" rgb2="0 .1 1" mark="edge" markrgb="1 1 1" width="32" height="192"/>
      <material name="t" texture="t" texrepeat="3 2"/>
      <material name="u" texture="t" texrepeat="2 2" texuniform="true"/>
      <material name="c" texture="c"/>
      </asset>
      <worldbody>
      <camera name="c" pos="1.2 -1 1.1" xyaxes="0.64 0.768 0 -0.46 0.38 0.8"/>
      <geom type="plane" size="2 1 .1" material="t"/>
      <geom type="box" size=".2 .15 .1" pos=".2 0 .3" material="c"/>
      <geom type="sphere" size=".2" pos="-.3 -.4 .3" material="u"/>
      <geom type="cylinder" size=".15 .2" pos="-.1 .6 .3" material="t"/>
      </worldbody>
      </mujoco>`,
    pixels: [
      [10, 6, 19, 17, 85],
      [32, 6, 0, 0, 0],
      [54, 6, 0, 0, 0],
      [22, 18, 47, 17, 57],
      [42, 18, 55, 9, 33],
      [10, 26, 78, 16, 16],
      [32, 26, 7, 8, 71],
      [54, 26, 17, 17, 86],
      [22, 32, 86, 17, 17],
      [42, 32, 86, 17, 17],
      [10, 40, 70, 17, 34],
      [32, 40, 17, 17, 86],
      [54, 40, 86, 17, 17],
      [22, 52, 86, 17, 17],
      [42, 52, 18, 17, 86],
    ],
  },
  {
    title: "mirrors the world in a reflecting box",
    xml: `<mujoco>
      <visual>
      </visual>
      <asset>
      <material name="m" reflectance=".6" rgba=".4 .4 .5 1"/>
      <material name="e" emission=".4" specular="1" shininess="1" rgba=".3 .4 .8 1"/>
      </asset>
      <worldbody>
      <camera name="c" pos="1.2 -1 1.1" xyaxes="0.64 0.768 0 -0.46 0.38 0.8"/>
      <light pos="1 1 3" dir="-.3 -.3 -1"/>
      <geom type="box" size=".7 .7 .1" material="m" pos="0 0 .1"/>
      <geom type="sphere" size=".25" pos="0 0 .5" material="e"/>
      <geom type="plane" size="2 2 .1" rgba=".6 .6 .6 1"/>
      </worldbody>
      </mujoco>`,
    pixels: [
      [10, 6, 74, 74, 74],
      [32, 6, 138, 169, 255],
      [54, 6, 69, 69, 69],
      [22, 18, 35, 35, 43],
      [42, 18, 99, 99, 122],
      [10, 26, 83, 83, 103],
      [32, 26, 58, 66, 104],
      [54, 26, 98, 98, 122],
      [22, 32, 106, 112, 158],
      [42, 32, 95, 95, 118],
      [10, 40, 79, 79, 98],
      [32, 40, 169, 183, 255],
      [54, 40, 66, 66, 81],
      [22, 52, 76, 76, 94],
      [42, 52, 40, 40, 50],
    ],
  },
  {
    title: "blends transparent geoms and sites",
    xml: `<mujoco>
      <visual>
      </visual>
      <asset>
      </asset>
      <worldbody>
      <camera name="c" pos="1.2 -1 1.1" xyaxes="0.64 0.768 0 -0.46 0.38 0.8"/>
      <geom type="sphere" size=".3" pos="0 0 .3" rgba="1 .1 .1 .4"/>
      <geom type="sphere" size=".3" pos="-.5 .4 .3" rgba=".1 1 .1 .6"/>
      <site pos=".4 -.3 .4" size=".1" rgba=".2 .2 1 .5"/>
      <geom type="plane" size="2 2 .1" rgba=".6 .6 .6 1"/>
      </worldbody>
      </mujoco>`,
    pixels: [
      [10, 6, 52, 52, 52],
      [32, 6, 69, 86, 29],
      [54, 6, 52, 52, 52],
      [22, 18, 86, 25, 25],
      [42, 18, 81, 25, 25],
      [10, 26, 52, 52, 52],
      [32, 26, 61, 31, 90],
      [54, 26, 52, 52, 52],
      [22, 32, 52, 52, 52],
      [42, 32, 52, 52, 52],
      [10, 40, 52, 52, 52],
      [32, 40, 52, 52, 52],
      [54, 40, 52, 52, 52],
      [22, 52, 52, 52, 52],
      [42, 52, 52, 52, 52],
    ],
  },
  {
    title: "draws sky, haze and an infinite plane",
    xml: `<mujoco>
      <asset>
      <texture type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="64" height="384"/>
      <texture name="g" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".1 .2 .3" width="64" height="64"/>
      <material name="g" texture="g" texuniform="true" texrepeat="1 1"/>
      </asset>
      <worldbody>
      <camera name="c" pos="0 -2 .8" xyaxes="1 0 0 0 .2 .98"/>
      <geom type="plane" size="0 0 .05" material="g"/>
      <geom type="box" size=".3 .3 .3" pos="0 0 .3"/>
      </worldbody>
      </mujoco>`,
    pixels: [
      [10, 6, 41, 70, 98],
      [32, 6, 42, 70, 99],
      [54, 6, 41, 70, 98],
      [22, 18, 72, 76, 78],
      [42, 18, 73, 76, 79],
      [10, 26, 6, 11, 15],
      [32, 26, 89, 89, 89],
      [54, 26, 8, 12, 17],
      [22, 32, 77, 77, 77],
      [42, 32, 77, 77, 77],
      [10, 40, 9, 14, 18],
      [32, 40, 71, 71, 71],
      [54, 40, 4, 9, 14],
      [22, 52, 4, 9, 14],
      [42, 52, 9, 14, 18],
    ],
  },
];
