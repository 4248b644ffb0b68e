import { answer, api, type Schemas } from "../../api.ts";
import { change, define, useRead } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Pending } from "../../parts/basics.tsx";
import { Check, Choice, Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { t } from "../../text.ts";
import { sendChangedAsShown } from "./as-shown.ts";
import { teamText } from "./team-text.ts";

export type Policy = Schemas["ModerationPolicy"];

const WHOSE = ["none", "first", "all"] as const;
type Whose = (typeof WHOSE)[number];

export const policy = define(
  "queue policy",
  async (client) => (await answer(client.GET("/settings/moderation"))).moderation,
);

const MOST_WORDS = 200;
const LONGEST_WORD = 50;

/** The words that were typed, one a line or between commas. */
function wordsIn(typed: string): string[] {
  const words = typed.split(/[,\n]/).map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ""))];
}

function problemOfWords(typed: string): string | undefined {
  const words = wordsIn(typed);
  const long = words.find((word) => word.length > LONGEST_WORD);
  if (long) return teamText("wordTooLong", { word: long.slice(0, LONGEST_WORD), most: LONGEST_WORD });
  return words.length > MOST_WORDS ? teamText("tooManyWords", { n: words.length, most: MOST_WORDS }) : undefined;
}

/** What of people's posts and comments waits for the team: the owner's choice. */
export function QueuePolicy() {
  const { data, ...read } = useRead(policy());
  return (
    <details class="panel">
      <summary>{teamText("queuePolicy")}</summary>
      {data ? <PolicyForm policy={data} /> : <Pending {...read} />}
    </details>
  );
}

/** Saves what differs from what the page shows of the rules. */
export async function savePolicy(shown: Policy, edited: Partial<Policy>): Promise<void> {
  const saved = await sendChangedAsShown(
    shown,
    edited,
    () => api.GET("/settings/moderation"),
    (body, header) => answer(api.PATCH("/settings/moderation", { body, params: { header } })),
  );
  if (saved) change(policy, () => saved.moderation);
  announce(t("saved"));
}

function PolicyForm({ policy: shown }: { policy: Policy }) {
  const save = async ({ posts, comments, words = "", ...boxes }: Values) => {
    const body: Omit<Policy, "blockedMailDomains"> = {
      posts: posts as Whose,
      comments: comments as Whose,
      links: "links" in boxes,
      words: wordsIn(words),
    };
    await savePolicy(shown, body);
  };
  const options = WHOSE.map((id) => ({ id, name: teamText(`whose_${id}`) }));
  return (
    <Form send={save} button={t("save")} label={teamText("queuePolicy")}>
      <Choice name="posts" label={teamText("holdPosts")} value={shown.posts} options={options} />
      <Choice name="comments" label={teamText("holdComments")} value={shown.comments} options={options} />
      <Check name="links" label={teamText("holdLinks")} on={shown.links} />
      <Field
        name="words"
        label={teamText("holdWords")}
        hint={teamText("holdWordsHint")}
        value={shown.words.join("\n")}
        rows={4}
        check={problemOfWords}
      />
    </Form>
  );
}
