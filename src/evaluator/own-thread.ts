import type { Crew, Seat } from "./crew.js";
import { type Lane, type LaneSettings, openLanes } from "./lane.js";
import type { RunPlan } from "./prepare.js";
import type { SlotTools } from "./slot.js";

/** Runs episodes in this thread, in as many lanes as may be under way at once while agents think. */
export class OwnThread implements Crew {
  readonly seats: readonly Seat[];
  readonly #lanes: readonly Lane[];

  private constructor(lanes: readonly Lane[], settings: LaneSettings) {
    this.#lanes = lanes;
    this.seats = lanes.map((lane) => ({
      worker: 0,
      run: (job) => lane.run(job, settings),
    }));
  }

  static async open(
    { registries, tasks }: RunPlan,
    lanes: number,
    settings: LaneSettings,
  ): Promise<OwnThread> {
    const episodesOf: SlotTools["episodesOf"] = ({ episodes }) => Promise.resolve(episodes);
    const tools = { registries, episodesOf, logFolder: settings.logFolder };
    return new OwnThread(await openLanes(lanes, tasks, tools), settings);
  }

  /** All lanes are alike, so the first speaks for the rest. */
  get missingSensors(): readonly string[] {
    return this.#lanes[0]?.missingSensors ?? [];
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }
}
