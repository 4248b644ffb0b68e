import { endpoints } from "../../functions/index.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import { BASE_PATH } from "../../lib/http/routes.ts";
import packageJson from "../../package.json" with { type: "json" };
import { resourceSchemas } from "./json-schemas.ts";
import { type Exchange, errorAnswers, operationOf, pathOf, successHeaders } from "./operations.ts";
import { webhookMessages } from "./webhooks.ts";

// The OpenAPI document: made from the endpoint table, the doc comments of the endpoints and of the resources, fields.ts
// and errors.ts.

const DESCRIPTION = `Bodies are JSON. An optional field that is \`null\` is treated as absent; unknown fields are ignored.
Every error has a \`code\`. To try the endpoints, sign in above, or sign up and use the \`authToken\` of the answer.

docs/api.md in the source explains pages, safe retries, API keys and rate limits.`;

type Tag = [name: string, description: string];

/** The tag of the endpoints in each folder of functions/, and its description. */
const TAGS: Record<string, Tag> = {
  auth: ["Authentication", "Signup, setup, sessions, confirmed addresses and passwords."],
  posts: ["Posts", "Posts: lists, search, one post, its votes."],
  votes: ["Votes", "The caller's votes, and votes on behalf of accounts."],
  comments: ["Comments", "Comments, internal notes, and changes of the status of a post."],
  moderation: ["Moderation", "Posts and comments that wait for the team."],
  boards: ["Boards", "Boards hold posts."],
  roadmaps: ["Roadmaps", "Roadmaps show the posts that are planned."],
  statuses: ["Statuses", "How far the team is with a post."],
  tags: ["Tags", "What posts are about, as the team sorts them."],
  users: ["Accounts", "The caller's account, and for the owner all accounts."],
  keys: ["API keys", "Keys for programs."],
  events: ["Events", "What happened, for programs."],
  audit: ["Audit log", "Who of the team changed what, for the owner."],
  stats: ["Figures", "How much is made on the site, for the team."],
  exports: ["Exports", "All of the site in a file, for the owner: docs/moving.md in the source."],
  imports: ["Imports", "What operators brought in from other portals: docs/moving.md in the source."],
  sso: ["Sign-in from your product", "Tokens that your own server signs: docs/sign-in.md in the source."],
  providers: ["Sign-in providers", "Providers that people sign in by: docs/sign-in.md in the source."],
  webhooks: ["Webhooks", "Signed messages to other services: docs/webhooks.md in the source."],
  settings: ["Settings", "The name, the colours and the rules of the site."],
};

function tagOf({ definition: { name } }: Endpoint): Tag {
  const tag = TAGS[name.split("-")[0] ?? ""];
  if (!tag) throw new Error(`TAGS in infra/openapi/document.ts has no tag for ${name}`);
  return tag;
}

/** The whole document. `examples` holds an exchange of each endpoint, by its name. */
export function openApiDocument(examples: Record<string, Exchange> = {}) {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const { method, name } = endpoint.definition;
    const path = pathOf(endpoint.definition);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(endpoint, tagOf(endpoint)[0], examples[name]) };
  }
  return withoutUnused({
    openapi: "3.1.1",
    info: {
      title: "Feedback Board",
      version: packageJson.version,
      summary: packageJson.description,
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: BASE_PATH, description: "The host that this document comes from." }],
    tags: Object.values(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhookMessages(),
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description:
            "The `authToken` from signup, setup or login, a JWT; or an API key, the `secret` from POST /keys.",
        },
      },
      headers: {
        ...successHeaders,
        RetryAfter: { description: "Seconds after which to try again.", schema: { type: "integer", minimum: 1 } },
      },
      schemas: {
        ...resourceSchemas(),
        InputProblem: {
          title: "InputProblem",
          description: "What is wrong with a field of the input.",
          type: "object",
          properties: {
            path: { type: "string", description: "The field: `body.title`, `query.first`." },
            code: { type: "string", description: "The kind of problem." },
            message: { type: "string", description: "The problem, in English." },
          },
          required: ["path", "code", "message"],
        },
      },
      responses: errorAnswers(endpoints),
    },
  });
}

function withoutUnused<D extends { components: { schemas: object } }>(document: D): D {
  const text = JSON.stringify(document);
  const isUsed = ([name]: [string, unknown]): boolean => text.includes(`"#/components/schemas/${name}"`);
  const schemas = Object.fromEntries(Object.entries(document.components.schemas).filter(isUsed));
  return { ...document, components: { ...document.components, schemas } };
}
