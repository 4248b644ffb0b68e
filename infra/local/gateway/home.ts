import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import type { Endpoint } from "../../../lib/endpoint.ts";
import { type Definition, requiresToken } from "../../../lib/http/definition.ts";
import { BASE_PATH } from "../../../lib/http/routes.ts";

const DOCUMENTS = ["README.md", "docs/api.md", "docs/local.md"];

/**
 * What `GET /` answers on one machine, for a person who opens it in a browser (HTML) and for everything else (JSON). A
 * deployed gateway answers 404.
 */
export function home(endpoints: readonly Endpoint[], baseUrl: string, accept = ""): APIGatewayProxyStructuredResultV2 {
  const routes = endpoints.map(({ definition: { method, path, access } }) => ({ method, path, access }));
  const isBrowser = accept.includes("text/html");
  return {
    statusCode: 200,
    headers: { "content-type": `${isBrowser ? "text/html" : "application/json"}; charset=utf-8`, vary: "accept" },
    body: isBrowser
      ? html(routes, baseUrl)
      : JSON.stringify({
          service: "Feedback Board",
          baseUrl,
          documents: DOCUMENTS,
          reference: "/docs/",
          openapi: "/openapi.json",
          endpoints: routes,
        }),
  };
}

type Route = Pick<Definition, "method" | "path" | "access">;

/** The path, as a link if a browser can open it: without a token, a body and parameters. */
function pathCell(route: Route): string {
  const { method, path } = route;
  const isLink = method === "GET" && !requiresToken(route) && !path.includes("{");
  return isLink ? `<a href="${BASE_PATH}${path}">${path}</a>` : path;
}

function html(routes: Route[], baseUrl: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Feedback Board</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem }
  td { padding-right: 1.5rem }
  code, td { font-family: ui-monospace, monospace }
</style>
<h1>Feedback Board</h1>
<p>The service runs. Its base URL is <code>${baseUrl}</code>; what <code>npm start</code> printed is a good first try.</p>
<p><a href="/docs/">The API reference</a> shows every endpoint, and sends calls; <a href="/openapi.json">openapi.json</a>
is the same for programs.</p>
<p>Documents, in the project's folder: ${DOCUMENTS.map((file) => `<code>${file}</code>`).join(", ")}.</p>
<table>
${routes.map((route) => `<tr><td>${route.method}<td>${pathCell(route)}<td>${route.access}`).join("\n")}
</table>
</html>
`;
}
