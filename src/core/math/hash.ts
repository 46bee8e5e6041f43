/**
 * A 53-bit hash of a text: as many bits as a JavaScript number holds exactly. For sharding and ordering,
 * where SHA-256 would be needlessly slow. Not collision-resistant against chosen texts.
 *
 * Two FNV-1a hashes (Fowler, Noll, Vo) over the UTF-16 code units, with different offsets and primes, each
 * finished by MurmurHash3's mixer (Appleby), because FNV alone leaves the high bits of short texts nearly
 * equal. Integer arithmetic only, so the result is the same on every machine.
 */
export function hash53(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca77);
  }
  const a = mix(low ^ (high >>> 15));
  const b = mix(high ^ a);
  return a * 0x20_0000 + (b >>> 11);
}

function mix(word: number): number {
  let h = word ^ (word >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
