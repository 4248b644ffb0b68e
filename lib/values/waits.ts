type OpenPost = { response?: unknown; author: { role?: unknown } };

/** Whether an open post waits for the team: it has no response, and nobody of the team has written it. */
export function waits({ response, author }: OpenPost): boolean {
  return !response && !author.role;
}
