/** What tells a line of episodes.jsonl from all others: the episode, and which of its repeats. */
export function lineName(episodeKey: string, repeat = 0): string {
  return repeat === 0 ? episodeKey : `${episodeKey} (repeat ${repeat})`;
}
