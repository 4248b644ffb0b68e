/** The post in the id of a job, and the reader who gets its mail alone, if there is one. Before them is a mark. */
export function postAndReader(jobId: string): { postId: string; only: string | undefined } {
  const [postId = "", only] = jobId.slice(1).split("#");
  return { postId, only };
}
