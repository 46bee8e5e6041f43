import { expect, it, vi } from "vitest";
import { endWithin } from "./interrupt.js";

it("endWithin kills a process that has not ended in time", () => {
  vi.useFakeTimers();
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  try {
    endWithin(3000);
    vi.advanceTimersByTime(2999);
    expect(kill).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(kill).toHaveBeenCalledWith(process.pid, "SIGKILL");
  } finally {
    kill.mockRestore();
    vi.useRealTimers();
  }
});
