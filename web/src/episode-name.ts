/**
 * An episode's key, and its repeat, as people read them: from its name in addresses, which is that of its
 * trajectory with tildes for percent signs (src/server/view/episode-id.ts). A very long key is cut off there.
 */
export function episodeName(id: string): { readonly key: string; readonly repeat: number } {
  const stem = id.replaceAll("~~", "+").replaceAll("~", "%");
  const [, name = stem, , repeat = "0"] = /^(.*?)(\+r(\d+))?$/.exec(stem) ?? [];
  return { key: decoded(name), repeat: Number(repeat) };
}

/** An address that somebody typed may be no name of ours. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
