import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import * as tokens from "../../../lib/auth/tokens.ts";
import { settings } from "../../../lib/runtime/settings.ts";
import { plainItem } from "../../simulator/model/values.ts";
import type { Program } from "../../simulator/scheduler/program.ts";
import { Scheduler } from "../../simulator/scheduler/scheduler.ts";
import { StoreService } from "../../simulator/service/service.ts";
import { ON_DEMAND, type Throughput } from "../../simulator/service/throughput.ts";
import { Fleet } from "../fleet/fleet.ts";
import type { ClientReply, ClientRequest } from "../fleet/gateway.ts";

// A rush in a simulation: so many requests a second, whether or not those before them were answered, on one post or for new posts.

const TABLE = "table";

/** A table that was warmed up for a launch: 500 votes a second are 3,000 W and some 8,000 R a second. */
export const WARM: Throughput = { ...ON_DEMAND, partitions: 16 };

/** The member who sends a request. */
export type Member = { userId: string; token: string };

/** A request of a rush, and its answer: times in milliseconds of virtual time. */
export type Exchange = { name: string; member: Member; sentAt: number; answeredAt: number; reply: ClientReply };

/** What a client does: which endpoint it calls, and with what. */
export type Call = { name: string; member: Member; request: ClientRequest };

/** How a world is made. */
export type WorldOptions = { seed: number; program: Program; throughput?: Throughput; containers?: number };

/** A site with a board and a post, members who have accounts, and containers that answer them. */
export async function worldOf({ seed, program, throughput, containers = 8 }: WorldOptions) {
  const scheduler = new Scheduler({ seed });
  const service = new StoreService({
    scheduler,
    tables: [TABLE],
    ...(throughput && { throughput }),
  });
  const environment = {
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "secret",
    TABLE_NAME: TABLE,
    SIGNING_SECRET: settings().signingSecret ?? "",
    MAIL_TRANSPORT: "log",
  };
  const clockErrors = Array.from({ length: containers }, (_, at) => ((at % 5) - 2) * 20);
  const fleet = new Fleet({ scheduler, program, network: service, environment, clockErrors });
  const table = service.database.table(TABLE);
  const ids = scheduler.random.fork("ids of members");
  let operations = 0;

  const send = async ({ name, member, request }: Call): Promise<Exchange> => {
    const id = `${name} ${++operations}`;
    const operation = { id, random: scheduler.random.fork(id), requests: 0 };
    const sentAt = scheduler.now;
    const reply = await fleet.request(operation, operations % fleet.size, name, { token: member.token, ...request });
    return { name, member, sentAt, answeredAt: scheduler.now, reply };
  };

  /** Makes an account without a signup, which costs a hash. */
  const aMember = async (role = "member"): Promise<Member> => {
    const hex = ids.bytes(10).toString("hex");
    const time = Math.floor(scheduler.now).toString(16).padStart(12, "0");
    const userId = `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
    const word = (S: string) => ({ S });
    const pk = `USER#${userId}`;
    table.set(
      { partition: pk, sort: "USER" },
      {
        pk: word(pk),
        sk: word("USER"),
        name: word("Ada Lovelace"),
        username: word(`adalovelace_${userId.slice(-8)}`),
        email: word(`${userId}@example.com`),
        role: word(role),
        tokenVersion: { N: "1" },
      },
    );
    return { userId, token: await tokens.issue({ userId, tokenVersion: 1 }, scheduler.now) };
  };

  const complete = <T>(work: Promise<T>): Promise<T> => scheduler.complete(work);
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((done) =>
      scheduler.after(milliseconds, () => {
        scheduler.disturb();
        done();
      }),
    );

  /** Sends `rate` requests a second for so long; resolves when all are answered. `callOf` knows what was answered before. */
  const rush = (
    rate: number,
    seconds: number,
    callOf: (at: number, answered: readonly Exchange[]) => Call,
  ): Promise<Exchange[]> => {
    const answered: Exchange[] = [];
    const all = Array.from({ length: Math.round(rate * seconds) }, async (_, at) => {
      await pause((1000 * at) / rate);
      const exchange = await send(callOf(at, answered));
      answered.push(exchange);
      return exchange;
    });
    return complete(Promise.all(all));
  };

  /** Every item of the table, as the document client gives it. */
  const items = (): Record<string, unknown>[] => [...table.items()].map(plainItem);

  /** Hands records of the stream to `keep`. */
  const keep = (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const id = `keep ${++operations}`;
    return fleet.handOver({ id, random: scheduler.random.fork(id), requests: 0 }, 0, "keep", event);
  };

  const owner = await aMember("owner");
  const board = await complete(
    send({ name: "boards-create", member: owner, request: { body: { name: "Ideas", url: "ideas" } } }),
  );
  const { boardId } = (board.reply.body.board ?? {}) as { boardId: string };
  const created = await complete(
    send({ name: "posts-create", member: owner, request: { body: { title: "A post", boardId } } }),
  );
  const { postId, slug } = (created.reply.body.post ?? {}) as { postId: string; slug: string };
  return { scheduler, service, fleet, table, owner, boardId, postId, slug, items, aMember, send, keep, complete, rush };
}

/** A simulated site. */
export type World = Awaited<ReturnType<typeof worldOf>>;

/** How long answers took, in milliseconds, and how many had which status. */
export function summaryOf(exchanges: readonly Exchange[]) {
  const times = exchanges.map(({ sentAt, answeredAt }) => answeredAt - sentAt).sort((a, b) => a - b);
  const statuses: Record<string, number> = {};
  for (const { reply } of exchanges) statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
  const quantile = (share: number): number => Math.round(times[Math.floor(share * (times.length - 1))] ?? 0);
  return { median: quantile(0.5), p99: quantile(0.99), longest: quantile(1), statuses };
}
