import { useEffect, useState } from "preact/hooks";
import { answer, api, type Schemas } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { carryOut } from "../../deeds.ts";
import { Action, Pending, When } from "../../parts/basics.tsx";
import { reasonText } from "./reason-text.ts";
import { teamText, teamTextOr } from "./team-text.ts";

const deliveries = define("deliveries", async (client, webhookId: string) => {
  const params = { path: { webhookId } };
  return (await answer(client.GET("/webhooks/{webhookId}/deliveries", { params }))).deliveries;
});

/** A kind of event, in words and as messages name it; one that this page does not know only so. */
export function Event({ type }: { type: string }) {
  return (
    <>
      {teamTextOr(`event_${type.replace(".", "_")}`, "")} <code>{type}</code>
    </>
  );
}

/** Leads from an event to its post, whose title is not read for a list of a hundred. */
function PostLink({ postId, type }: { postId: string; type: string }) {
  return (
    <a href={`/posts/${postId}`}>
      <Event type={type} />
    </a>
  );
}

const FIRST_LOOK_MS = 1000;
const LAST_LOOK_MS = 16_000;

/** While messages are on their way, reads their state less and less often, for half a minute after `begun`. */
function useFollowing(areOnTheirWay: boolean, begun: number, again: () => Promise<unknown>): void {
  useEffect(() => {
    if (!areOnTheirWay) return;
    let timer: ReturnType<typeof setTimeout>;
    const lookAfter = (ms: number) => {
      timer = setTimeout(() => {
        void again();
        if (ms < LAST_LOOK_MS) lookAfter(ms * 2);
      }, ms);
    };
    lookAfter(FIRST_LOOK_MS);
    return () => clearTimeout(timer);
  }, [areOnTheirWay, begun]);
}

type DeliveriesProps = {
  webhookId: string;
  /** Reads the state of the webhook, which follows from its deliveries. */
  again: () => Promise<void>;
};

/** The newest events with their deliveries; each can be sent again. */
export function Deliveries({ webhookId, again }: DeliveriesProps) {
  const { data, ...read } = useRead(deliveries(webhookId));
  const [begun, setBegun] = useState(0);
  const readBoth = async () => {
    await Promise.all([read.again(), again()]);
  };
  useFollowing(data?.some(({ status }) => status === "waiting") ?? false, begun, readBoth);
  const replay = async (eventId: string) => {
    const call = api.POST("/webhooks/{webhookId}/replay", { params: { path: { webhookId } }, body: { eventId } });
    await carryOut(answer(call), readBoth, teamText("replayed"));
    setBegun(begun + 1);
  };
  if (!data) return <Pending {...read} lines={2} />;
  return (
    <section>
      <h2>{teamText("deliveries")}</h2>
      <p class="quiet-text">
        {teamText(data.length === 0 ? "noDeliveries" : "deliveriesHint")} {teamText("testsElsewhere")}
      </p>
      <ul class="rows">
        {data.map((delivery) => (
          <Row key={delivery.eventId} delivery={delivery} replay={replay} />
        ))}
      </ul>
    </section>
  );
}

type RowProps = { delivery: Schemas["Delivery"]; replay: (eventId: string) => Promise<void> };

function Row({ delivery, replay }: RowProps) {
  const { eventId, type, postId, status, attempts, attemptedAt, lastStatus, ...why } = delivery;
  return (
    <li class="item">
      <span class="wide">
        {postId ? <PostLink postId={postId} type={type} /> : <Event type={type} />}{" "}
        <span class={status === "failed" ? "problem facts" : "quiet-text facts"}>
          <span>{teamText(`delivery_${status}`)}</span> <span>{teamText("attempts", { n: attempts })}</span>{" "}
          {attemptedAt && [
            <span key="answer">{reasonText(why) ?? lastStatus}</span>,
            " ",
            <When key="at" at={attemptedAt} />,
          ]}
        </span>
      </span>
      <Action act={() => replay(eventId)} label={teamText("sendAgain")} of={type} />
    </li>
  );
}
