import type { DatasetSource } from "../format.js";

/**
 * The jobs of a reader process, by name. Each yields values that can be sent between processes. Files are
 * read there if the reader is WebAssembly or a library that trusts the sizes declared in the file.
 */
export const READER_JOBS = {
  hdf5_names: async function* ({ path }: DatasetSource) {
    const { hdf5Names } = await import("../readers/hdf5.js");
    yield await hdf5Names(path);
  },
  lerobot: async function* (source: DatasetSource) {
    const { lerobotEpisodes } = await import("../formats/lerobot.js");
    for await (const episode of lerobotEpisodes(source)) yield episode.toDict();
  },
  maniskill: async function* (source: DatasetSource) {
    const { maniskillEpisodes } = await import("../formats/maniskill.js");
    for await (const episode of maniskillEpisodes(source)) yield episode.toDict();
  },
  robomimic: async function* (source: DatasetSource) {
    const { robomimicEpisodes } = await import("../formats/robomimic.js");
    for await (const episode of robomimicEpisodes(source)) yield episode.toDict();
  },
} as const;

export type ReaderJob = keyof typeof READER_JOBS;

export type JobValue<J extends ReaderJob> =
  ReturnType<(typeof READER_JOBS)[J]> extends AsyncGenerator<infer T> ? T : never;
