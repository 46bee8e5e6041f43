/**
 * An episode's key and repeat, from its id in URLs: the name of its trajectory with tildes for percent signs
 * (src/server/view/episode-id.ts). An id that ends in a hash does not determine the key; the name without the hash is
 * shown instead.
 */
export function episodeName(id: string): { readonly key: string; readonly repeat: number } {
  const stem = decoded(id.replaceAll("~", "%"));
  const [, name = stem, , hash, , repeat = "0"] =
    /^(.*?)(\+([0-9a-f]{10}))?(\+r(\d+))?$/.exec(stem) ?? [];
  return { key: hash === undefined ? keyOf(name) : name, repeat: Number(repeat) };
}

/** Inverts src/runs/directory/file-names.ts: a single `_` or `-` is a separator, a double one part of a name. */
function keyOf(name: string): string {
  const parts = name.split(/(?<!_)_(?!_)/);
  if (parts.length < 3) return name;
  const [scene = "", id = ""] = parts.slice(-2).map((part) => part.replaceAll("__", "_"));
  const segments = scene.split(/(?<!-)-(?!-)/).map((segment) => segment.replaceAll("--", "-"));
  return [parts.slice(0, -2).join("_"), ...segments, id].join("/");
}

/** A URL that was typed by hand may be malformed. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
