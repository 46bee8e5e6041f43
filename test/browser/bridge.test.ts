import { describe, expect, test } from "vitest";
import {
  chromiumPath,
  colourCount,
  differingShare,
  keepPicture,
  pixelsOf,
  soon,
  TestBrowser,
} from "../support/browser.js";
import { robotEval } from "../support/cli.js";
import { pointBenchmark } from "../support/point-benchmark.js";
import { sampled } from "../support/sampled.js";
import { episodeAddress } from "./site.js";
import { startView } from "./view-process.js";

const executable = chromiumPath();

describe.skipIf(executable === undefined)("a run on a remote simulator, in a browser", () => {
  const browser = new TestBrowser(executable ?? "");

  const cases = [
    ["with", {}],
    // Like the environments of Gymnasium.
    ["without", { handless: true }],
  ] as const;
  test.each(sampled(cases, 1))(
    "an episode of a bridge is drawn in 3D and moves as recorded, %s an end effector",
    async (_, env) => {
      const { yaml, out, root } = pointBenchmark({
        episodes: 1,
        args: ["--geometry"],
        env: () => env,
      });
      const run = ["run", yaml, "--agent", "random", "--out", out, "--run-id", "points"];
      const { code, stderr } = await robotEval(run, root);
      expect(code, stderr).toBe(0);
      const view = await startView(out);
      const address = await episodeAddress(
        { folder: out, view, browser },
        "points",
        "reach/plane/0",
      );
      const { page, errors } = await browser.open(`${view.url}${address}`);
      const canvas = page.locator(".scene-view[data-status=ready] canvas");
      await canvas.waitFor();
      const slider = page.getByRole("slider", { name: "Step" });
      await slider.fill("0");
      await soon(async () => colourCount(await pixelsOf(canvas))).toBeGreaterThan(100);
      const first = await pixelsOf(canvas);
      await keepPicture(page, "bridge-first");
      await slider.fill("6");
      await soon(async () => differingShare(first, await pixelsOf(canvas))).toBeGreaterThan(0.002);
      await keepPicture(page, "bridge-sixth");
      expect(await page.getByText("sent no geometry").count()).toBe(0);
      expect(errors).toEqual([]);
      expect(await view.stop()).toBe(0);
    },
  );
});
