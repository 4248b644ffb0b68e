// The operator's command brake: limits each route of a deployed stage to one call a second, and restores the limits.
// docs/operations.md#the-daily-budget.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { SESv2Client } from "@aws-sdk/client-sesv2";
import { readCommandLine } from "../usage.ts";

const USAGE = "npm run operate -- brake on | off <BaseUrl>, with your credentials";

type Throttle = { throttlingRateLimit?: number; throttlingBurstLimit?: number };
type Stage = { defaultRouteSettings: Throttle; routeSettings: Record<string, Throttle> };

const LEAST: Throttle = { throttlingRateLimit: 1, throttlingBurstLimit: 1 };

function stageOf(baseUrl: string) {
  const [, apiId, region = ""] = /^https:\/\/(\w+)\.execute-api\.([\w-]+)\./.exec(baseUrl) ?? [];
  if (!apiId) throw new Error(`Not the BaseUrl of a stack: ${baseUrl}. It begins https://<id>.execute-api.<region>`);
  const { AWS_ENDPOINT_URL_APIGATEWAYV2 = `https://apigateway.${region}.amazonaws.com` } = process.env;
  const url = new URL(`/v2/apis/${apiId}/stages/%24default`, AWS_ENDPOINT_URL_APIGATEWAYV2);

  async function send(method: "GET" | "PATCH", change?: Stage): Promise<Stage> {
    const body = change && JSON.stringify(change);
    // This client is here for mails; its credentials and its signature are any client's.
    const { config } = new SESv2Client({ region });
    const signer = await config.signer({
      name: "sigv4",
      signingName: "apigateway",
      signingRegion: region,
      properties: {},
    });
    const { headers } = await signer.sign({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      headers: { host: url.host, ...(body && { "content-type": "application/json" }) },
      ...(body && { body }),
    });
    const answer = await fetch(url, { method, headers, ...(body && { body }) });
    if (!answer.ok) throw new Error(`API Gateway answers ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Stage;
  }

  return { send, file: `brake-${apiId}.json` };
}

export async function run(words: readonly string[]): Promise<number> {
  const [position, baseUrl] = readCommandLine(USAGE, { values: 2 }, words).values;
  if ((position !== "on" && position !== "off") || !baseUrl) {
    console.error(`Usage: ${USAGE}`);
    return 1;
  }
  const { send, file } = stageOf(baseUrl);
  if (position === "on") {
    const { defaultRouteSettings, routeSettings } = await send("GET");
    // A second "on" must not take the brake for what was there before.
    if (!existsSync(file)) writeFileSync(file, JSON.stringify({ defaultRouteSettings, routeSettings }, null, 2));
    const braked = Object.keys(routeSettings).map((route) => [route, { ...routeSettings[route], ...LEAST }]);
    await send("PATCH", {
      defaultRouteSettings: { ...defaultRouteSettings, ...LEAST },
      routeSettings: Object.fromEntries(braked),
    });
    console.log(`Each route now admits one call a second. Keep ${file} for "brake off": it has the former limits`);
    return 0;
  }
  if (!existsSync(file))
    throw new Error(`There is no ${file} here, the former limits: run it in the folder of "brake on", or deploy again`);
  await send("PATCH", JSON.parse(readFileSync(file, "utf8")) as Stage);
  rmSync(file);
  console.log("The routes have their former limits again");
  return 0;
}
