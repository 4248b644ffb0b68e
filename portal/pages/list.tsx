import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso/router";
import type { Schemas } from "../api.ts";
import { useRead } from "../data.ts";
import { wholeWithin } from "../graphemes.ts";
import { Count, Dot, Empty, Heading, NotFound, Skeleton, Waiting } from "../parts/basics.tsx";
import { useAsLastList } from "../parts/last-list.ts";
import { FromTheFirst, Pages } from "../parts/pages.tsx";
import { PostRow } from "../parts/post-row.tsx";
import { useFold } from "../parts/use-fold.ts";
import { useLater } from "../parts/use-later.ts";
import { nearPosts, type PostList, postLists, type Summary, type Wanted } from "../posts.ts";
import { type Board, namedBoard, useBoards, useSetUp, useSite, useStatuses, useTags } from "../site.ts";
import { t } from "../text.ts";

// The list's address holds what it shows: /boards/<url>?order=top&status=planned&tag=<id>&q=words&after=<cursor>

const ORDERS = ["trending", "top", "newest"] as const;

const PAGE = 20;
const LONGEST_SEARCH = 100;

/** A search that finds fewer posts is offered others. */
const FEW = 3;

/** The shortest start of a word that the API finds. */
const SHORTEST_START = 3;

/** Words as the search takes them. People paste line breaks, and too much. Only what is visible is searched. */
function wordsOf(q = ""): string {
  const line = q.replace(/[\p{Cc}\p{Cs}]+/gu, " ").trim();
  const words = wholeWithin(line, LONGEST_SEARCH).trim();
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(words) ? words : "";
}

/** The first half of the longest word: its other forms share it, and it may be a word of a compound ("darkmode"). */
function stemOf(words: string): string {
  const [longest = []] = words
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((word) => [...word])
    .sort((a, b) => b.length - a.length);
  return longest.slice(0, Math.max(SHORTEST_START, Math.ceil(longest.length / 2))).join("");
}

/** What an address asks for. */
function wantedOf({ order, status, tag, q }: Record<string, string>, boardId: string | undefined): Wanted {
  const query = wordsOf(q);
  return {
    ...(query && { query }),
    sort: ORDERS.find((each) => each === order) ?? "trending",
    ...(boardId && { boardId: [boardId] }),
    ...(status && { status }),
    ...(tag && { tag }),
    first: PAGE,
  };
}

/** The address of a list. An order counts only without a search, whose best matches come first. */
function addressOf(board: Board | undefined, query: Record<string, string>): string {
  const kept = ["order", "status", "tag", "q", "after"].flatMap((name) => (query[name] ? [[name, query[name]]] : []));
  const search = new URLSearchParams(kept).toString();
  const path = board ? `/boards/${board.url}` : "/";
  return search ? `${path}?${search}` : path;
}

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
  if (board === null) return <NotFound title="BOARD_NOT_FOUND" />;
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
      <Head board={board} />
      <div class="with-side">
        <Search board={board}>{fold}</Search>
        <div ref={side} class="side" data-open={isOpen}>
          <Boards boards={boards} board={board} />
          <Facet name="status" title={t("status")} none={t("allStatuses")} options={statuses} board={board} />
          <Facet name="tag" title={t("tags")} none={t("allTags")} options={tags} board={board} />
        </div>
        <Results board={board} />
      </div>
    </>
  );
}

/** What the site or a board is for. */
function Head({ board }: { board: Board | undefined }) {
  const { query } = useLocation();
  const site = useSite();
  const words = wordsOf(query.q);
  return (
    <div class="head">
      <div>
        <Heading name={words ? t("searchFor", { words }) : (board?.name ?? t("posts"))}>
          {board?.name ?? t("welcome")}
        </Heading>
        <p class="lead-text" dir="auto">
          {board ? board.description : (site.description ?? t("welcomeHint"))}
        </p>
      </div>
      <a class="button primary" href={newPostUrl(query, board)}>
        {t("newPost")}
      </a>
    </div>
  );
}

/** Every board with its number of posts. */
function Boards({ boards, board }: { boards: Board[]; board: Board | undefined }) {
  const { query } = useLocation();
  if (boards.length === 0) return null;
  const address = (to?: Board) => addressOf(to, { ...query, after: "" });
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
              <Count n={Number(each.post_count)} words={t("postsCount", { n: Number(each.post_count) })} />
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
function Facet({ name, title, none, options, board }: FacetProps) {
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

function ChoiceLink({ href, isChosen, children }: ChoiceLinkProps) {
  return (
    <a href={href} aria-current={isChosen ? "true" : undefined}>
      {children}
    </a>
  );
}

/** The key `/` leads to the search, unless it is typed into a field. */
function useSearchKey(words: RefObject<HTMLInputElement>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyped = event.target instanceof Element && event.target.closest("input, textarea, select");
      if (event.key !== "/" || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      words.current?.focus();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

/** The search and the order. A search has none: its best matches come first. */
function Search({ board, children }: { board: Board | undefined; children: ComponentChildren }) {
  const { query, route, url } = useLocation();
  const [typed, setTyped] = useState<string>();
  const words = useRef<HTMLInputElement>(null);
  useSearchKey(words);
  /** The page's address with what was typed a moment ago. */
  const addressNow = () => addressOf(board, { ...query, after: "", q: words.current?.value ?? query.q ?? "" });
  const isAhead = () => words.current && words.current.value !== (query.q ?? "");
  // A link to an order, a board, a status or a tag takes along what was typed just before.
  useEffect(() => {
    const press = ({ target }: Event) => {
      if (target instanceof Element && target.closest("main nav a") && isAhead()) route(addressNow(), true);
    };
    addEventListener("pointerdown", press);
    return () => removeEventListener("pointerdown", press);
  });
  useLater(() => {
    // A link that was followed meanwhile has left the list, though it is still shown.
    const isHere = url === location.pathname + location.search;
    if (typed !== undefined && isHere) route(addressNow(), true);
  }, [typed]);
  // The way back through the history also changes the words; typing is ahead of the address bar.
  useEffect(() => {
    if (words.current && words.current !== document.activeElement) words.current.value = query.q ?? "";
  }, [query.q]);
  // Without the script the browser sends the words.
  const find = (event: Event) => {
    event.preventDefault();
    if (isAhead()) route(addressNow(), true);
  };
  const isSearch = wordsOf(query.q) !== "";
  const chosen = ORDERS.find((each) => each === query.order) ?? "trending";
  return (
    <search class="bar">
      <form action={addressOf(board, {})} onSubmit={find}>
        <input
          ref={words}
          type="search"
          name="q"
          dir="auto"
          aria-label={t("searchPosts")}
          aria-keyshortcuts="/"
          placeholder={t("searchPosts")}
          maxLength={LONGEST_SEARCH}
          defaultValue={query.q}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        {query.status && <input type="hidden" name="status" value={query.status} />}
        {query.tag && <input type="hidden" name="tag" value={query.tag} />}
      </form>
      {children}
      {!isSearch && (
        <nav class="tabs" aria-label={t("order")}>
          {ORDERS.map((order) => (
            <a
              key={order}
              href={addressOf(board, { ...query, after: "", order })}
              aria-current={order === chosen ? "true" : undefined}
            >
              {t(order)}
            </a>
          ))}
        </nav>
      )}
    </search>
  );
}

/** The posts that the address asks for. Until they are read, the posts before stay, dimmed. */
function Results({ board }: { board: Board | undefined }) {
  const { query } = useLocation();
  const wanted = wantedOf(query, board?.boardId);
  const { data, failure } = useRead(postLists(wanted, query.after));
  const isThere = data !== undefined || failure !== undefined;
  const address = addressOf(board, query);
  const isFiltered = Boolean(query.q || query.status || query.tag || board);
  const last = useRef({ wanted, address, after: query.after, data });
  if (isThere) last.current = { wanted, address, after: query.after, data };
  const shown = last.current;
  return (
    <div>
      <div class="found">
        <p class={isFiltered && data?.posts.length ? "quiet-text" : "unseen"} role="status">
          {data && countOf(data, wanted)}
        </p>
        {wanted.query && board && (
          <a class="button" href={addressOf(undefined, { ...query, after: "" })}>
            {t("searchAllBoards")}
          </a>
        )}
      </div>
      <div class={isThere ? undefined : "waiting"} aria-busy={!isThere}>
        <Pages
          key={shown.address}
          query={(after = shown.after) => postLists(shown.wanted, after)}
          address={(after) => addressOf(board, { ...query, after })}
          show={(list) => <Rows list={list} isFiltered={isFiltered} />}
        />
      </div>
      {query.after && <FromTheFirst href={addressOf(board, { ...query, after: "" })} />}
      {wanted.query && data && !query.after && <Otherwise words={wanted.query} found={data.posts} />}
    </div>
  );
}

function countOf({ posts, total = posts.length, hasMore }: PostList, { query }: Wanted): string {
  if (hasMore) return t("postsAtLeast", { n: total });
  return query && total > posts.length ? t("bestOf", { n: posts.length, total }) : t("postsCount", { n: total });
}

function Rows({ list, isFiltered }: { list: PostList; isFiltered: boolean }) {
  if (list.posts.length === 0) return isFiltered ? <NoMatches /> : <NoPosts />;
  return (
    <ol class="rows">
      {list.posts.map((post) => (
        <PostRow key={post.postId} post={post} />
      ))}
    </ol>
  );
}

/** What a person may do who has not found what they were looking for: what may be it, then a post of their own. */
function Otherwise({ words, found }: { words: string; found: Summary[] }) {
  const { query } = useLocation();
  const offer = (
    <p class="actions otherwise">
      <a class="button" href={newPostUrl(query, undefined)}>
        {t("postThis", { words })}
      </a>
      {found.length === 0 && <ClearFilters />}
    </p>
  );
  if (found.length >= FEW) return offer;
  return (
    <Near words={words} found={found}>
      {offer}
    </Near>
  );
}

/** Posts on any board with other forms of the longest word, and what stands below them. */
function Near({ words, found, children }: { words: string; found: Summary[]; children: ComponentChildren }) {
  const { data } = useRead(nearPosts(stemOf(words)));
  // The offer below would move away from under a finger.
  if (!data) return null;
  const others = data.posts.filter(({ postId }) => found.every((each) => each.postId !== postId));
  return (
    <>
      {others.length > 0 && (
        <section class="near" aria-labelledby="near">
          <h2 id="near">{t("similar")}</h2>
          <Rows list={{ posts: others }} isFiltered />
        </section>
      )}
      {children}
    </>
  );
}

/** A new post begins with what the reader was looking for. */
function newPostUrl({ q }: Record<string, string>, board: Board | undefined): string {
  const known = new URLSearchParams({ ...(q && { title: q }), ...(board && { board: board.boardId }) }).toString();
  return known ? `/new?${known}` : "/new";
}

/** Below a search there is more to do: see `Otherwise`. */
function NoMatches() {
  const isSearch = wordsOf(useLocation().query.q) !== "";
  return (
    <Empty title={t("noMatches")} hint={t(isSearch ? "noTitlesHint" : "noMatchesHint")}>
      {!isSearch && <ClearFilters />}
    </Empty>
  );
}

function ClearFilters() {
  return (
    <a class="button" href="/">
      {t("clearFilters")}
    </a>
  );
}

/** A site without posts may be one without an owner. */
function NoPosts() {
  const { route } = useLocation();
  const { data: isSetUp } = useSetUp();
  useEffect(() => {
    if (isSetUp === false) route("/setup", true);
  }, [isSetUp]);
  return (
    <Empty title={t("noPosts")} hint={t("noPostsHint")}>
      <a class="button primary" href="/new">
        {t("firstPost")}
      </a>
    </Empty>
  );
}
