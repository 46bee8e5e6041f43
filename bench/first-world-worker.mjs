// A program for bench/cli.mjs: it compiles MuJoCo, which the first reset of manipulation_challenge cannot do without.
import loadMujoco from "@mujoco/mujoco";

await loadMujoco();
