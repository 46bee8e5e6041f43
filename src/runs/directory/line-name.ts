/** Unique name of a line in episodes.jsonl: the episode key and its repeat. */
export function lineName(episodeKey: string, repeat = 0): string {
  return repeat === 0 ? episodeKey : `${episodeKey} (repeat ${repeat})`;
}
