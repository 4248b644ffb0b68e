import { useSignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { reloadShown } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Empty } from "../../parts/basics.tsx";
import type { Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { Pages } from "../../parts/pages.tsx";
import { useHere } from "../../parts/use-here.ts";
import { useLater } from "../../parts/use-later.ts";
import { useSite } from "../../site.ts";
import { withQuery } from "../../with-query.ts";
import { Invite } from "./invite.tsx";
import { AddressFields, accountNamed } from "./known-people.tsx";
import { type Choices, type Group, Person, people } from "./person.tsx";
import { teamText } from "./team-text.ts";

const GROUPS = ["team", "suspended"] as const;

/** The address of the list: /manage/people?group=team&q=ada */
function addressOf(group: Group, q: string): string {
  return withQuery("/manage/people", { group, q });
}

/** Everybody with an account: the owner invites, finds and deletes people, and gives them roles. */
export function People() {
  const { query, route } = useLocation();
  const { q: words = "" } = query;
  const group = GROUPS.find((each) => each === query.group);
  const [typed, setTyped] = useState(words);
  const search = useRef<HTMLInputElement>(null);
  // Not in the rows: a search takes them away.
  const choices = useSignal<Choices>({});
  const findSoon = useLater((q: string) => {
    if (q !== words) route(addressOf(group, q), true);
  });
  const type = (value: string) => {
    setTyped(value);
    findSoon(value.trim());
  };
  // The way back through the history also changes the words; typing is ahead of the address.
  useEffect(() => {
    if (search.current !== document.activeElement) setTyped(words);
  }, [words]);
  const isHere = useHere();
  const add = async ({ email = "", name }: Values) => {
    const user = await accountNamed("email", email, name);
    reloadShown();
    if (isHere()) route(addressOf(undefined, user.email), true);
    announce(teamText("personThere", { name: user.name }));
  };
  const { sendsMail } = useSite();
  return (
    <>
      <div class="panels">
        {sendsMail && <Invite />}
        <details class="panel" open={!sendsMail}>
          <summary>{teamText("addWithoutMail")}</summary>
          <Form send={add} button={teamText("add")} label={teamText("people")}>
            <AddressFields />
          </Form>
        </details>
      </div>
      <search class="bar">
        <input
          ref={search}
          type="search"
          aria-label={teamText("searchPeople")}
          placeholder={teamText("searchPeople")}
          value={typed}
          maxLength={100}
          onInput={(event) => type(event.currentTarget.value)}
        />
        <nav class="tabs" aria-label={teamText("people")}>
          {[undefined, ...GROUPS].map((each) => (
            <a key={each} href={addressOf(each, words)} aria-current={each === group ? "true" : undefined}>
              {teamText(`people_${each ?? "all"}`)}
            </a>
          ))}
        </nav>
      </search>
      <Pages
        key={`${group} ${words}`}
        query={(after) => people(words, group, after)}
        show={({ users }, isFirst) =>
          users.length === 0 ? (
            isFirst && <Nobody isSearch={!group || words !== ""} />
          ) : (
            <ul class="rows">
              {users.map((user) => (
                <Person key={user.userId} user={user} choices={choices} />
              ))}
            </ul>
          )
        }
      />
    </>
  );
}

/** Says that the search finds nobody, or that nobody is suspended. */
function Nobody({ isSearch }: { isSearch: boolean }) {
  if (!isSearch) return <Empty title={teamText("nobodySuspended")} hint={teamText("nobodySuspendedHint")} />;
  return <Empty title={teamText("nobodyFound")} hint={teamText("nobodyFoundHint")} />;
}
