import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The modes of a proxy: it passes connections on, refuses them, or accepts them and stays silent. */
type ProxyMood = "pass" | "refuse" | "stall";

type TcpProxy = { url: string; set: (mood: ProxyMood) => void; stop: () => Promise<void> };

/** Starts a proxy on a free port; a change of mode cuts the open connections. */
export async function startProxy(target: number): Promise<TcpProxy> {
  let mood: ProxyMood = "pass";
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("error", () => {});
    return socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (mood === "refuse") client.resetAndDestroy();
    if (mood !== "pass") return;
    const store = keep(connect(target, "127.0.0.1"));
    client.pipe(store).pipe(client);
    client.on("close", () => store.destroy());
    store.on("close", () => client.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (next) => {
      mood = next;
      cut();
    },
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        cut();
      }),
  };
}
