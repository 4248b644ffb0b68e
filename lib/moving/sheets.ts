import { cellOf } from "./cells.ts";
import type { OwnKind, OwnRow, OwnRows } from "./form.ts";

// Sheets for people: with names and addresses instead of ids, and the headings of the import of sheets. A byte order
// mark tells programs for sheets that the text is UTF-8.

type Cell = string | number | boolean | undefined;

/** What later rows name by its id. */
export type Named = { people: Map<string, { name: string; email: string }>; entries: Map<string, string> };

export function nothingNamed(): Named {
  return { people: new Map(), entries: new Map() };
}

/** Whether rows of posts name a row, which has a name for people. */
function isEntry(row: OwnRow): row is OwnRows["board" | "roadmap" | "status" | "tag"] {
  return ["board", "roadmap", "status", "tag"].includes(row.kind);
}

/** The sheets by the kinds of their rows: the name of the file, its headings, and the cells of a row. */
type Forms = { [K in OwnKind]?: { file: string; headings: string; cells: (row: OwnRows[K]) => Cell[] } };

/** Makes lines of sheets from the rows of an export, in the order of its walk. */
export class Sheets {
  readonly #named: Named;
  #post = { ref: "", title: "" };

  /** `named`: what the rows before have named. It grows. A walk never continues between a post and its votes. */
  constructor(named: Named = nothingNamed()) {
    this.#named = named;
  }

  /** The first line of each sheet, by the names of their files. */
  headings(): Map<string, string> {
    return new Map(Object.values(this.#forms).map(({ file, headings }) => [file, `\ufeff${headings}\r\n`]));
  }

  /** The line of a row, and its file; undefined if no sheet has such rows. */
  lineOf(row: OwnRow): { file: string; line: string } | undefined {
    this.#remember(row);
    const form = this.#forms[row.kind === "merged" ? "post" : row.kind];
    if (!form) return undefined;
    const cells = form.cells(row as never).map((cell) => cellOf(cell ?? ""));
    return { file: form.file, line: `${cells.join(",")}\r\n` };
  }

  #remember(row: OwnRow): void {
    const { people, entries } = this.#named;
    if (row.kind === "account") people.set(row.ref, { name: row.name, email: row.email });
    else if (isEntry(row)) entries.set(row.ref, row.name);
    else if (row.kind === "post" || row.kind === "merged") this.#post = { ref: row.ref, title: row.title };
  }

  #person(ref: string | undefined): [name: string, email: string] {
    const person = this.#named.people.get(ref ?? "");
    return person ? [person.name, person.email] : ["Deleted user", ""];
  }

  #name(ref: string | undefined): string | undefined {
    return this.#named.entries.get(ref ?? "");
  }

  /** The names of the tags of a post between commas; as a list of JSON if one of them would be taken for two. */
  #tagsOf({ tags = [] }: Pick<OwnRows["post"], "tags">): string {
    const names = tags.map((tag) => this.#name(tag) ?? "");
    return names.some((name) => /[,;|]|^\[/.test(name)) ? JSON.stringify(names) : names.join(", ");
  }

  readonly #forms: Forms = {
    account: {
      file: "people.csv",
      headings: "name,email,username,created_at,team,confirmed,suspended",
      cells: ({ name, email, username, at, role, confirmed = false, blocked = false }) => [
        name,
        email,
        username,
        at,
        role,
        confirmed,
        blocked,
      ],
    },
    site: {
      file: "site.csv",
      headings: "title,description,owner_name,owner_email",
      cells: ({ title, description, owner }) => [title, description, ...this.#person(owner)],
    },
    board: {
      file: "boards.csv",
      headings: "name,url,description,color,display",
      cells: ({ name, url, description, color, display }) => [name, url, description, color, display],
    },
    roadmap: {
      file: "roadmaps.csv",
      headings: "name,url,color,display",
      cells: ({ name, url, color, display }) => [name, url, color, display],
    },
    status: {
      file: "statuses.csv",
      headings: "name,kind,color,archived",
      cells: ({ name, category, color, archived = false }) => [name, category, color, archived],
    },
    tag: {
      file: "tags.csv",
      headings: "name,color",
      cells: ({ name, color }) => [name, color],
    },
    post: {
      file: "posts.csv",
      headings:
        "source_id,title,content,status,tags,board,roadmap,author_name,author_email,created_at,updated_at,slug," +
        "response,responded_at,merged_into",
      cells: (post: OwnRows["post"] | OwnRows["merged"]) => [
        ...[post.ref, post.title, post.body, this.#name(post.status), this.#tagsOf(post)],
        ...[this.#name(post.board), this.#name(post.roadmap)],
        ...[...this.#person(post.author), post.at, post.updatedAt, post.slug, post.response, post.responseAt],
        post.kind === "merged" ? post.into : undefined,
      ],
    },
    vote: {
      file: "votes.csv",
      headings: "post_source_id,post_title,name,email,created_at",
      cells: ({ post, voter, at }) => [post, this.#post.title, ...this.#person(voter), at],
    },
    comment: {
      file: "comments.csv",
      headings:
        "source_id,post_source_id,post_title,body,author_name,author_email,created_at,edited_at,is_internal,parent_id",
      cells: ({ ref, post, body, author, at, editedAt, internal, parent }) => [
        ...[ref, post, this.#post.title, body, ...this.#person(author), at, editedAt, internal, parent],
      ],
    },
    change: {
      file: "status_changes.csv",
      headings: "post_source_id,post_title,from,to,by,created_at",
      cells: ({ post, from, to, by, at }) => [
        ...[post, this.#post.title, this.#name(from), this.#name(to), this.#person(by)[0], at],
      ],
    },
    held: {
      file: "held.csv",
      headings: "source_id,kind,title,text,board,post_source_id,author_name,author_email",
      cells: ({ ref, what, title, body, board, onPost, author }) => [
        ...[ref, what, title, body, this.#name(board), onPost, ...this.#person(author)],
      ],
    },
    follow: {
      file: "followers.csv",
      headings: "post_source_id,post_title,name,email,follows",
      cells: ({ post, account, on }) => [post, this.#post.title, ...this.#person(account), on],
    },
  };
}
