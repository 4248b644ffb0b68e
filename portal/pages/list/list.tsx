import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso/router";
import type { Schemas } from "../../api.ts";
import { useRead } from "../../data.ts";
import { Heading, NotFound, Skeleton, Waiting } from "../../parts/basics.tsx";
import { focusSoon } from "../../parts/focus.ts";
import { useAsLastList } from "../../parts/last-list.ts";
import { useFold } from "../../parts/use-fold.ts";
import { type Board, namedBoard, useBoards, useIsSuspended, useSite, useStatuses, useTags } from "../../site.ts";
import { t } from "../../text.ts";
import { newPostUrl, wordsOf } from "./address.ts";
import { Boards, Facet } from "./choices.tsx";
import { Results } from "./results.tsx";
import { Search } from "./search.tsx";

/** The list of all posts, or of the board that the address names: by its url, or by its id, as older addresses do. */
export function ListPage() {
  const { query } = useLocation();
  const named = useRoute().params.url;
  const { data, failure } = useBoards();
  const boards = data ?? [];
  useAsLastList();
  if (!named && !query.board) return <List boards={boards} board={undefined} />;
  const board = boards.find((each) => (named ? each.url === named : each.id === query.board));
  if (board) return <List boards={boards} board={board} />;
  if (!data && !failure) return <Skeleton />;
  return <ListOfOther key={named ?? query.board} boards={boards} url={named} id={query.board} />;
}

/** The list of a board that is not among the first ones. */
function ListOfOther({ boards, url, id }: { boards: Board[]; url?: string | undefined; id?: string | undefined }) {
  const { data: board, ...read } = useRead(namedBoard(url, id));
  if (board === null) return <NotFound title="boardNotFound" />;
  if (!board) return <Waiting {...read} />;
  return <List boards={[...boards, board]} board={board} />;
}

function List({ boards, board }: { boards: Board[]; board: Board | undefined }) {
  const statuses = useStatuses().data?.statuses ?? [];
  const tags = useTags().data ?? [];
  const { status, tag } = useLocation().query;
  // Where there is no room beside the list, the choices are folded, and unfold above it.
  const { isOpen, toggle, button } = useFold(".side, .fold", [board, status, tag]);
  const side = useRef<HTMLDivElement>(null);
  // The orders stand between the button and the choices.
  useEffect(() => {
    if (isOpen) side.current?.querySelector("a")?.focus();
  }, [isOpen]);
  const chosen = statuses.find(({ id }) => id === status) ?? tags.find(({ id }) => id === tag);
  const fold = (
    <button ref={button} type="button" class="fold" aria-expanded={isOpen} onClick={toggle}>
      {chosen?.name ?? t("filters")}
    </button>
  );
  return (
    <>
      <Head board={board} chosen={chosen} />
      <div class="with-side">
        <Search board={board}>{fold}</Search>
        {/* They stand beside the posts, and after them. */}
        <a class="button unseen" href="#side">
          {t("filters")}
        </a>
        <Results board={board} />
        <div ref={side} id="side" class="side" tabIndex={-1} data-open={isOpen}>
          {/* They are few, and boards may be many. */}
          <Facet name="status" title={t("status")} none={t("allStatuses")} options={statuses} board={board} />
          <Boards boards={boards} board={board} />
          <Facet name="tag" title={t("tags")} none={t("allTags")} options={tags} board={board} />
        </div>
      </div>
    </>
  );
}

/** The words below the heading. A phone shows two lines of them, so that posts begin on the first screen. */
function Lead({ text }: { text: string | null }) {
  const words = useRef<HTMLParagraphElement>(null);
  const [isCut, setCut] = useState(false);
  const [isWhole, setWhole] = useState(false);
  useLayoutEffect(() => {
    const { scrollHeight = 0, clientHeight = 0 } = words.current ?? {};
    setCut(scrollHeight > clientHeight);
  }, [text]);
  const show = () => {
    setWhole(true);
    focusSoon(() => words.current);
  };
  const more = isCut && !isWhole ? t("more") : undefined;
  return (
    <p ref={words} class={isWhole ? "lead-text whole" : "lead-text"} data-more={more} dir="auto" tabIndex={-1}>
      {text}
      {more && (
        <button type="button" class="quiet" onClick={show}>
          {more}
        </button>
      )}
    </p>
  );
}

/** What the site or a board is for. */
function Head({ board, chosen }: { board: Board | undefined; chosen: Schemas["Tag"] | undefined }) {
  const { query } = useLocation();
  const site = useSite();
  const isSuspended = useIsSuspended();
  const words = wordsOf(query.q);
  const named = [chosen, board].flatMap((each) => each?.name ?? []);
  return (
    <div class="head">
      <div>
        <Heading name={words ? t("searchFor", { words }) : named.join(" · ") || t("posts")}>
          {board?.name ?? chosen?.name ?? t("welcome")}
        </Heading>
        <Lead text={chosen || board ? (board?.description ?? null) : (site.description ?? t("welcomeHint"))} />
      </div>
      {!isSuspended && (
        <a class="button primary" href={newPostUrl(query, board)}>
          {t("newPost")}
        </a>
      )}
    </div>
  );
}
