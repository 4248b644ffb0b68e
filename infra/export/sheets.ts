import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { OwnKind, OwnRow, OwnRows } from "../../lib/moving/form.ts";
import { cellOf } from "../import/cells.ts";
import { Output } from "./output.ts";

// A folder of sheets for people: with names and addresses instead of ids, and the headings of the import of sheets. A
// byte order mark tells programs for sheets that the text is UTF-8.

type Cell = string | number | boolean | undefined;
type Person = { name: string; email: string };

/** The sheets by the kinds of their rows: the name of the file, its headings, and the cells of a row. */
type Sheets = { [K in OwnKind]?: { file: string; headings: string; cells: (row: OwnRows[K]) => Cell[] } };

export class Folder {
  readonly #outputs = new Map<string, Output>();
  readonly #people = new Map<string, Person>();
  readonly #names = new Map<string, string>();
  #post = { ref: "", title: "" };

  constructor(path: string) {
    // What an export that was killed has left.
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path, { mode: 0o700 });
    for (const sheet of Object.values(this.#sheets)) {
      const output = new Output(join(path, sheet.file));
      this.#outputs.set(sheet.file, output);
      output.write(`\ufeff${sheet.headings}\r\n`);
    }
  }

  add(row: OwnRow): void {
    if (row.kind === "account") this.#people.set(row.ref, row);
    else if (row.kind === "board" || row.kind === "roadmap" || row.kind === "status")
      this.#names.set(row.ref, row.name);
    else if (row.kind === "post") this.#post = row;
    const sheet = this.#sheets[row.kind];
    const cells = sheet?.cells(row as never).map((cell) => cellOf(cell ?? ""));
    if (sheet && cells) this.#outputs.get(sheet.file)?.write(`${cells.join(",")}\r\n`);
  }

  close(): void {
    for (const output of this.#outputs.values()) output.close();
  }

  #person(ref: string | undefined): [name: string, email: string] {
    const person = this.#people.get(ref ?? "");
    return person ? [person.name, person.email] : ["Deleted user", ""];
  }

  #name(ref: string | undefined): string | undefined {
    return this.#names.get(ref ?? "");
  }

  readonly #sheets: Sheets = {
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
    post: {
      file: "posts.csv",
      headings:
        "source_id,title,content,status,board,roadmap,author_name,author_email,created_at,updated_at,slug," +
        "response,responded_at",
      cells: ({ ref, title, body, status, board, roadmap, author, at, updatedAt, slug, response, responseAt }) => [
        ...[ref, title, body, this.#name(status), this.#name(board), this.#name(roadmap), ...this.#person(author)],
        ...[at, updatedAt, slug, response, responseAt],
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
    follow: {
      file: "followers.csv",
      headings: "post_source_id,post_title,name,email,follows",
      cells: ({ post, account, on }) => [post, this.#post.title, ...this.#person(account), on],
    },
  };
}
