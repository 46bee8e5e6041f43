#!/usr/bin/env node
import { runProgram } from "./program.js";

// A reader that closes the pipe early (`| head`) is no error, and must not cut a run short.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

await runProgram(process.argv.slice(2));
