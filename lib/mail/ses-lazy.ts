/** `sesTransport` of ses.ts, loaded on the first call: with MAIL_TRANSPORT `log` nobody pays for the client. A bundle takes that module itself. */
export const sesTransport: typeof import("./ses.ts").sesTransport = async (letter) =>
  (await import("./ses.ts")).sesTransport(letter);
