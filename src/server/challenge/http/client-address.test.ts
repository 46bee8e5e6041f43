import { describe, expect, it } from "vitest";
import { addressKey, TrustedProxies } from "./client-address.js";

describe("behind no proxy", () => {
  const none = new TrustedProxies([]);

  it("the client is the peer, whatever X-Forwarded-For says", () => {
    expect(none.caller("203.0.113.9", "127.0.0.1")).toBe("203.0.113.9");
    expect(none.caller("127.0.0.1", "203.0.113.9")).toBe("127.0.0.1");
  });
});

describe("behind proxies", () => {
  const proxies = new TrustedProxies(["10.0.0.5", "192.168.0.0/16", "fd00::/8"]);

  it("the client is the last address in the header that is not a proxy", () => {
    expect(proxies.caller("10.0.0.5", "203.0.113.9")).toBe("203.0.113.9");
    expect(proxies.caller("10.0.0.5", "198.51.100.1, 203.0.113.9, 192.168.3.4")).toBe(
      "203.0.113.9",
    );
    expect(proxies.caller("fd12::1", "2001:db8::7")).toBe("2001:db8::7");
  });

  it("forged entries at the start of the header are ignored", () => {
    expect(proxies.caller("10.0.0.5", "127.0.0.1, 10.0.0.5, 203.0.113.9")).toBe("203.0.113.9");
    expect(proxies.caller("203.0.113.9", "10.0.0.5")).toBe("203.0.113.9");
  });

  it("an entry that is not an address ends the search", () => {
    expect(proxies.caller("10.0.0.5", "junk")).toBe("10.0.0.5");
    expect(proxies.caller("10.0.0.5", "")).toBe("10.0.0.5");
    expect(proxies.caller("10.0.0.5", undefined)).toBe("10.0.0.5");
  });

  it("ports, brackets and IPv4-mapped prefixes are removed", () => {
    expect(proxies.caller("::ffff:10.0.0.5", "203.0.113.9:4711")).toBe("203.0.113.9");
    expect(proxies.caller("10.0.0.5", "[2001:DB8::7]:443")).toBe("2001:db8::7");
  });

  it.each(["proxy", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/x", "fd00::/129", ""])(
    "the proxy address %j is rejected",
    (hop) => {
      expect(() => new TrustedProxies([hop])).toThrow(/not an IP address or network/);
    },
  );
});

describe("rate limits", () => {
  it("rate limits are counted by IPv4 address and by IPv6 /64", () => {
    expect(addressKey("203.0.113.9")).toBe("203.0.113.9");
    expect(addressKey("2001:db8:1:2:3:4:5:6")).toBe(addressKey("2001:0db8:1:2::9"));
    expect(addressKey("2001:db8:1:2::9")).toBe("2001:db8:1:2::/64");
    expect(addressKey("2001:db8::1")).not.toBe(addressKey("2001:db8:0:1::1"));
    expect(addressKey("::1")).toBe("0:0:0:0::/64");
    expect(addressKey("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
  });
});
