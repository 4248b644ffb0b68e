import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso/router";
import type { Schemas } from "../../api.ts";
import { Count, Dot } from "../../parts/basics.tsx";
import { isPlain } from "../../parts/pages.tsx";
import type { Board } from "../../site.ts";
import { t } from "../../text.ts";
import { addressOf } from "./address.ts";

/** Every board; with its number of posts, unless the list shows some of them only. */
export function Boards({ boards, board }: { boards: Board[]; board: Board | undefined }) {
  const { query } = useLocation();
  if (boards.length === 0) return null;
  const address = (to?: Board) => addressOf(to, { ...query, after: "" });
  const showsAll = !query.q && !query.status && !query.tag;
  return (
    <nav class="card choices" aria-labelledby="boards">
      <h2 id="boards">{t("boards")}</h2>
      <ul>
        <li>
          <ChoiceLink href={address()} isChosen={!board}>
            {t("allBoards")}
          </ChoiceLink>
        </li>
        {boards.map((each) => (
          <li key={each.id}>
            <ChoiceLink href={address(each)} isChosen={each === board}>
              <Dot color={each.color} />
              <bdi>{each.name}</bdi>
              {showsAll && (
                <Count n={Number(each.post_count)} words={t("postsCount", { n: Number(each.post_count) })} />
              )}
            </ChoiceLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type FacetProps = {
  /** The parameter of the address. */
  name: "status" | "tag";
  title: string;
  /** What leaves the choice open. */
  none: string;
  options: Schemas["Tag"][];
  board: Board | undefined;
};

/** The statuses or the tags, of which one can be chosen. */
export function Facet({ name, title, none, options, board }: FacetProps) {
  const { query } = useLocation();
  if (options.length === 0) return null;
  const chosen = query[name];
  const address = (id: string) => addressOf(board, { ...query, after: "", [name]: id });
  return (
    <nav class="card choices" aria-labelledby={name}>
      <h2 id={name}>{title}</h2>
      <ul>
        <li>
          <ChoiceLink href={address("")} isChosen={!chosen}>
            {none}
          </ChoiceLink>
        </li>
        {options.map((each) => (
          <li key={each.id}>
            <ChoiceLink href={address(each.id)} isChosen={each.id === chosen}>
              <Dot color={each.color} />
              <bdi>{each.name}</bdi>
            </ChoiceLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type ChoiceLinkProps = { href: string; isChosen: boolean; children: ComponentChildren };

/** The start of the list comes back into sight: what is chosen may be short. The choices stay where they are. */
function showStart(): void {
  const list = document.querySelector(".with-side");
  if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView();
}

function ChoiceLink({ href, isChosen, children }: ChoiceLinkProps) {
  // Later: the history keeps for the way back how far the page was scrolled.
  const press = (event: MouseEvent) => isPlain(event) && requestAnimationFrame(showStart);
  return (
    <a href={href} aria-current={isChosen ? "true" : undefined} onClick={press}>
      {children}
    </a>
  );
}
