// The common form: what every reader makes of its source, before anything is checked. docs/moving.md.

/** Where a row stands: the name of its file, and its number there as a sheet or an editor shows it. */
export type Place = { file: string; row: number };

export type Kind = "account" | "board" | "roadmap" | "status" | "tag" | "post" | "vote" | "comment";

/** The fields of each kind. A `ref` is the source's own id, by which other rows name the row. */
export const FIELDS: Record<Kind, readonly string[]> = {
  account: ["ref", "email", "name", "at", "blocked"],
  board: ["ref", "name", "description", "url", "color", "display"],
  roadmap: ["ref", "name", "url", "color", "display"],
  status: ["ref", "name", "color", "category"],
  tag: ["ref", "name", "color"],
  post: [
    "ref",
    "title",
    "body",
    "author",
    "board",
    "roadmap",
    "status",
    "at",
    "slug",
    "mergedInto",
    "response",
    "responseAt",
    "tags",
  ],
  vote: ["post", "voter", "at"],
  comment: ["ref", "post", "author", "body", "parent", "internal", "at"],
};

/** What a source calls the fields of a row, where it has another name for them: people look for it in their dump. */
export type FieldNames = Readonly<Record<string, string>>;
export type NamesByKind = Partial<Record<Kind, FieldNames>>;

/** What a source calls a field. */
export function nameOf(field: string, names: FieldNames | undefined): string {
  return names?.[field] ?? field;
}

/** A row as its source says it. */
export type Row = { kind: Kind; place: Place; fields: Record<string, unknown>; names?: FieldNames | undefined };

/**
 * Something that cannot be imported unchanged. `what` never has anything of the row, such as an address: that is the
 * value.
 */
export type Problem = { place: Place; field: string; value?: string | undefined; what: string };

/** Takes a problem for the report. */
export type Report = (problem: Problem) => void;

/** Rows with the names that their source has for the fields. */
export function* named(rows: Iterable<Row | Problem>, names: NamesByKind): Generator<Row | Problem> {
  for (const given of rows) yield isProblem(given) ? given : { ...given, names: names[given.kind] };
}

export function isProblem(given: object): given is Problem {
  return "what" in given;
}

/** A reader: yields the rows of a source one by one, in any order, and what it leaves out itself. */
export type Reader = (input: Input) => AsyncIterable<Row | Problem>;

/** The files of a source: one file, a folder, or an archive. */
export type Input = {
  names: string[];
  /** The files that lie beside a file, which alone was given. */
  beside?: string[];
  /** Opens a file by its name. */
  open: (name: string) => Promise<NodeJS.ReadableStream>;
  close: () => void;
  /** Which of several sites in one dump to read. */
  site?: string | undefined;
};

/** The first file whose name (without folders, in lower case) is one of these. */
export function fileNamed(input: Input, ...wanted: string[]): string | undefined {
  return input.names.find((name) => wanted.includes(baseOf(name)));
}

export function baseOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1).toLowerCase();
}
