import { useSignal } from "@preact/signals";
import { answer } from "../../api.ts";
import { useRead } from "../../data.ts";
import { loadMarkdown } from "../../load-markdown.ts";
import { nextOf } from "../../paging.ts";
import { Back } from "../../parts/back.tsx";
import { Empty, Heading, NotFound, Pending, Waiting } from "../../parts/basics.tsx";
import { useAsLastList } from "../../parts/last-list.ts";
import { Pages } from "../../parts/pages.tsx";
import { PostRows } from "../../parts/post-row.tsx";
import { defineList, summaryOf } from "../../posts.ts";
import { useCan } from "../../site.ts";
import { nameOf, t } from "../../text.ts";
import { account, type Choices, Person } from "./person.tsx";
import { teamText } from "./team-text.ts";

/** The posts that a person has written, and who that is. */
const postsOfPerson = defineList("posts of a person", async (client, userId: string, after?: string) => {
  const params = { path: { userId }, query: { first: 20, ...(after && { after }) } };
  const reading = answer(client.GET("/users/{userId}/posts", { params }));
  const [{ results, page_info, user }] = await Promise.all([reading, loadMarkdown()]);
  return { posts: results.map(summaryOf), user, ...nextOf(page_info) };
});

/** What a person has written, for all of the team; their account and the list of people are the owner's. */
export function PersonPosts({ userId }: { userId: string }) {
  useAsLastList();
  const seesPeople = useCan()("user:write");
  const { data: first, ...read } = useRead(postsOfPerson(userId, undefined));
  if (read.failure?.code === "USER_NOT_FOUND") return <NotFound />;
  if (!first) return <Waiting {...read} />;
  return (
    <>
      {seesPeople && <Back url="/manage/people">{teamText("people")}</Back>}
      <Heading>{teamText("postsBy", { name: nameOf(first.user) })}</Heading>
      {seesPeople && <Account key={userId} userId={userId} />}
      <Pages
        key={userId}
        query={(after) => postsOfPerson(userId, after)}
        show={({ posts }, isFirst) => (posts.length === 0 ? isFirst && <NoPosts /> : <PostRows posts={posts} />)}
      />
    </>
  );
}

/** The account of the person, with what the owner does with it. */
function Account({ userId }: { userId: string }) {
  const choices = useSignal<Choices>({});
  const { data, ...read } = useRead(account(userId));
  if (!data) return <Pending {...read} lines={2} />;
  return (
    <ul class="rows">
      {data.users.map((user) => (
        <Person key={userId} user={user} choices={choices} isAlone />
      ))}
    </ul>
  );
}

/** Of a person all of whose posts may still be held. */
function NoPosts() {
  return (
    <Empty title={t("noPosts")} hint={teamText("noPostsByHint")}>
      <a class="button" href="/manage/queue">
        {teamText("queue")}
      </a>
    </Empty>
  );
}
