import type { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

// Which addresses a call to a url that people give may connect to: only public ones, whatever a name resolves to.

function blockList(family: "ipv4" | "ipv6", subnets: string): BlockList {
  const list = new BlockList();
  for (const [address = "", bits] of subnets.split(" ").map((subnet) => subnet.split("/"))) {
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

// Two lists, because the rules of one also match IPv4 in IPv6. All but 2000::/3 is not public; in it are tunnels,
// documentation and benchmarks.
const notPublic = {
  ipv4: blockList(
    "ipv4",
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
      "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3",
  ),
  ipv6: blockList("ipv6", "::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20"),
};

/** Whether an address that a name resolves to is not public. */
export function isRefused(address: string): boolean {
  const family = isIP(address) === 4 ? "ipv4" : "ipv6";
  // An address with a zone is of this machine's own network.
  return isIP(address) === 0 || address.includes("%") || notPublic[family].check(address, family);
}

const NOT_PUBLIC = Object.assign(new Error("an address is not public"), { code: "NOT_PUBLIC" });

/** Looks a name up once, for one connection, which may use just what was checked. */
export function checked(resolve: typeof lookup): LookupFunction {
  return (hostname, options, done) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) =>
      done(error ?? (addresses.some(({ address }) => isRefused(address)) ? NOT_PUBLIC : null), addresses),
    );
}
