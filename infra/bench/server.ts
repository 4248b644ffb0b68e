// A process of npm run bench: the gateway of npm start. Tells its port; then, whenever it is asked, its processor time
// so far.
import type { AddressInfo } from "node:net";
import { endpoints } from "../../functions/index.ts";
import { createGateway } from "../local/gateway/gateway.ts";

const server = createGateway(endpoints);
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1000);
});

// The gateway would continue without the bench.
process.on("disconnect", () => process.exit());
