import type { createClient } from "../lib/client/index.ts";

// Calls the API with the types of the client in lib/client. The library of that one can do more than pages need: in
// each of them it would be 2 KB of script, compressed.

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** A client whose calls return `{ data, error, response }`, and throw only without an answer. */
export type Api = Pick<ReturnType<typeof createClient>, (typeof METHODS)[number]>;

type Headers = Record<string, string>;

type Params = { path?: Record<string, string>; query?: Record<string, unknown>; header?: Headers };

type Call = { params?: Params; body?: unknown };

/** The address of a path such as `/posts/{postId}`. Of a list each value is named; what is undefined is left out. */
function addressOf(path: string, { path: names = {}, query = {} }: Params): string {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ""));
  const given = Object.entries(query).flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, `${each}`]));
  const search = new URLSearchParams(given).toString();
  return search ? `${address}?${search}` : address;
}

async function contentOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch (failure) {
    if (response.ok) throw failure;
    // A gateway answers in its own words.
    return text;
  }
}

/** Who calls: the session's token, if there is one, and the language of the page. */
export type Reader = { token: string | undefined; language: string };

/** A client of the API at a URL. `headers` are sent with each call. */
export function clientAt(baseUrl: string, reader: () => Reader, headers: Headers): Api {
  const send = async (method: string, path: string, { params = {}, body }: Call = {}) => {
    const { token, language } = reader();
    const response = await fetch(baseUrl + addressOf(path, params), {
      method,
      headers: {
        // An account gets its mails in the language of the page, whatever the browser's own is.
        "accept-language": language,
        ...headers,
        ...params.header,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const content = await contentOf(response);
    return response.ok ? { data: content, response } : { error: content, response };
  };
  const calls = METHODS.map((method) => [method, (path: string, call?: Call) => send(method, path, call)]);
  return Object.fromEntries(calls);
}
