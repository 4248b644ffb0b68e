/**
 * `sesTransport` of ses.ts, loaded on the first call: a process with MAIL_TRANSPORT `log` never loads the client. Bundles take that
 * module directly.
 */
export const sesTransport: typeof import("./ses.ts").sesTransport = async (letter) =>
  (await import("./ses.ts")).sesTransport(letter);
