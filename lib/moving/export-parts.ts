import { fileOf, newPieceName } from "./export-files.ts";
import type { Job } from "./export-item.ts";
import { shelf } from "./own-shelf.ts";
import { PART_BYTES, UploadGone } from "./shelf.ts";
import { archiveOf, compress, type Entry, newEntry, type Section } from "./zip.ts";

// How the file of an export comes onto the shelf: lines become its parts, sheets first pieces of their own.

type Upload = Pick<Job, "exportId" | "format" | "upload" | "tags">;

/** Writes the next part of the file; begins its upload with the first. */
export async function putPart(job: Upload, content: Buffer): Promise<Pick<Job, "upload" | "tags">> {
  const name = fileOf(job);
  const upload = job.upload ?? (await shelf().begin(name));
  const tag = await shelf().putPart({ name, id: upload }, job.tags.length + 1, content);
  return { upload, tags: [...job.tags, tag] };
}

/** Keeps what was added to the sheets. */
export async function writeSheets({ exportId, entries }: Job, texts: Map<string, Buffer>): Promise<Entry[]> {
  const known = new Map(entries.map((entry) => [entry.file, entry]));
  for (const [file, text] of texts) {
    const name = newPieceName(exportId, file);
    const { entry, packed } = compress(known.get(file) ?? newEntry(file), name, text);
    await shelf().put(name, packed);
    known.set(file, entry);
  }
  return [...known.values()];
}

/** Packs sheets into the archive, part by part, until the time is over. */
export async function pack(job: Job, isOver: () => boolean): Promise<Partial<Job>> {
  const { sections, bytes } = archiveOf(job.entries, job.at);
  let { packed } = job;
  let upload: Upload = job;
  do {
    const part: Buffer[] = [];
    for (let length = 0; packed < sections.length && length < PART_BYTES; packed++) {
      const content = await contentOf(sections[packed] as Section);
      part.push(content);
      length += content.length;
    }
    upload = { ...upload, ...(await putPart(upload, Buffer.concat(part))) };
  } while (packed < sections.length && !isOver());
  return { upload: upload.upload, tags: upload.tags, packed, bytes, isWhole: packed === sections.length };
}

async function contentOf(section: Section): Promise<Buffer> {
  if ("bytes" in section) return section.bytes;
  const content = await shelf().get(section.piece);
  if (!content) throw new UploadGone("a piece of a sheet is gone");
  return content;
}

export async function removeSheets({ entries }: Job): Promise<void> {
  for (const { pieces } of entries) for (const name of pieces) await shelf().remove(name);
}
