import { ON_DEMAND } from "../../simulator/service/throughput.ts";
import { bundleService } from "../program.ts";
import { type Call, type Member, summaryOf, worldOf } from "./rush.ts";

// `npm run rush -- votes 500 2`: 500 votes a second on one post for two seconds, or `posts`: so many new posts on one board. Prints
// how long the answers take, in virtual time. The third number is how many partitions the table has: 1,000 W and 3,000 R each.

const [kind = "votes", rate = "500", seconds = "2", partitions = "16"] = process.argv.slice(2);
const count = Math.round(Number(rate) * Number(seconds));

Object.assign(process.env, { TABLE_NAME: "table", SIGNING_SECRET: "a signing secret for simulations, 32 characters" });

const program = await bundleService();
const world = await worldOf({ seed: 1, program, throughput: { ...ON_DEMAND, partitions: Number(partitions) } });
const members = await Promise.all(Array.from({ length: count }, () => world.aMember()));

function callOf(at: number): Call {
  const member = members[at] as Member;
  if (kind === "votes") return { name: "votes-add", member, request: { body: { postId: world.postId } } };
  const body = { title: `Post ${at}`, contentMarkdown: "x".repeat(400), boardId: world.boardId };
  return { name: "posts-create", member, request: { body } };
}

const exchanges = await world.rush(Number(rate), Number(seconds), callOf);
console.log(`${rate} ${kind} a second for ${seconds} s, ${partitions} partitions:`, summaryOf(exchanges));
const start = exchanges[0]?.sentAt ?? 0;
for (let from = 0; from < 1000 * Number(seconds); from += 250) {
  const some = exchanges.filter(({ sentAt }) => sentAt >= start + from && sentAt < start + from + 250);
  console.log(`sent from ${from} ms on:`, JSON.stringify(summaryOf(some)));
}
