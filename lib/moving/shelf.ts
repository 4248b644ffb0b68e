/** Where exports lie until they end: a private bucket in the cloud, a folder on one machine. */
export type Shelf = {
  put(name: string, content: Buffer): Promise<void>;
  /** Undefined if there is none. */
  get(name: string): Promise<Buffer | undefined>;
  remove(name: string): Promise<void>;
  /** Removes what killed pieces left in a folder. The rules of a bucket remove it by themselves. */
  removeLost(folder: string): Promise<void>;
  /** Begins a file that is written in parts; returns the id of the upload. */
  begin(name: string): Promise<string>;
  /** Writes a part, numbered from 1, of at least PART_BYTES unless it is the last; returns its tag. */
  putPart(upload: Upload, number: number, content: Buffer): Promise<string>;
  /** Makes a file of the parts. May be repeated. */
  complete(upload: Upload, tags: string[]): Promise<void>;
  /** A link to a file that works for LINK_SECONDS; browsers keep what it leads to under the name `as`. */
  linkTo(name: string, as: string): Promise<string>;
};

export type Upload = { name: string; id: string };

/** S3 rejects smaller parts, but for the last. */
export const PART_BYTES = 5 * 1024 * 1024;

export const LINK_SECONDS = 60;

/** The parts of a file that were written are gone: it has to be written anew. */
export class UploadGone extends Error {
  override readonly name = "UploadGone";
}
