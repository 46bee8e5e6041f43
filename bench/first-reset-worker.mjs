// A plugin for bench/cli.mjs: its agent kills the process at the first reset, which follows the simulator's reset.
import { writeSync } from "node:fs";

export default ({ agents }) => {
  agents.register("first-reset", {
    description: "kills the process at its first reset",
    create: () => ({
      reset() {
        // Synchronous even in a worker thread, where process.stderr would go through the main thread.
        writeSync(2, "first reset\n");
        process.kill(process.pid, "SIGKILL");
      },
      act: () => "stop",
    }),
  });
};
