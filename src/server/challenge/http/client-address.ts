import { BlockList, isIP, isIPv6 } from "node:net";
import { ConfigError } from "../../../core/errors.js";

/** Addresses and networks of proxies whose X-Forwarded-For is trusted. */
export class TrustedProxies {
  readonly #list = new BlockList();

  /** @param hops addresses (`10.0.0.5`) or networks (`10.0.0.0/8`, `fd00::/8`) */
  constructor(hops: readonly string[]) {
    for (const hop of hops) this.#add(hop);
  }

  #add(hop: string): void {
    const [address = "", bits, ...rest] = hop.split("/");
    const kind = isIPv6(address) ? "ipv6" : "ipv4";
    const most = kind === "ipv6" ? 128 : 32;
    const length = bits === undefined ? most : Number(bits);
    if (isIP(address) === 0 || rest.length > 0 || !/^\d+$/.test(bits ?? "0") || length > most) {
      throw new ConfigError("bad_proxy", `"${hop}" is not an IP address or network`, {
        where: "trust_proxy",
        hint: "list the addresses of your proxies, such as 10.0.0.5, or networks, such as 10.0.0.0/8",
      });
    }
    this.#list.addSubnet(address, length, kind);
  }

  has(address: string): boolean {
    return isIP(address) !== 0 && this.#list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
  }

  /**
   * The client's address. X-Forwarded-For is read from its end, where trusted proxies write; the first address that is
   * not a trusted proxy is the client. The entries before it can be forged.
   *
   * @param remote the other end of the connection
   * @param forwarded the header X-Forwarded-For
   */
  caller(remote: string | undefined, forwarded: string | undefined): string {
    let address = plain(remote ?? "");
    const chain = (forwarded ?? "").split(",").reverse();
    for (const text of chain) {
      if (!this.has(address)) break;
      const next = plain(text.trim());
      if (isIP(next) === 0) break;
      address = next;
    }
    return address === "" ? "unknown" : address;
  }
}

/** Removes port and brackets, and the prefix `::ffff:` of an IPv4 address on a dual-stack socket. */
function plain(text: string): string {
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ??
    /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ??
    text;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare.toLowerCase();
}

/**
 * Key for rate limits: an IPv4 address, or the /64 network of an IPv6 address. A subscriber owns at least a /64
 * (RFC 6177) and would otherwise have 2^64 buckets.
 */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const groups = (text: string | undefined) => (text ? text.split(":") : []);
  const first = groups(head);
  // A dotted end, as in 64:ff9b::10.0.0.1, counts as two groups.
  const last = groups(tail).flatMap((group) => (group.includes(".") ? ["0", "0"] : [group]));
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const all = [...first, ...new Array<string>(zeros).fill("0"), ...last];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
