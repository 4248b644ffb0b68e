import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { endpoints, groups } from "../../../functions/index.ts";
import { createGateway } from "../../../infra/local/gateway/gateway.ts";
import * as rates from "../../../lib/accounts/rates.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import * as limits from "../../../lib/http/rate-limits.ts";
import { type AnswerPage, buildPortal } from "../../../portal/build.ts";
import { listen } from "../../support/http/listen.ts";
import { aFolder } from "../../support/process/server-process.ts";
import { newContainer } from "../../support/setup.ts";
import { allows } from "../../support/stack/iam.ts";
import {
  functionsOf,
  propertiesOf,
  type Resource,
  resourcesOf,
  tableArnOf,
  templateOf,
} from "../../support/stack/stack.ts";
import { aMember, aPost } from "../../support/world/fixtures.ts";
import { LONGEST_TEXT } from "../../support/world/worst-calls.ts";

const context = { portal: "true", mailFrom: "a@example.com", setupCode: "open sesame" };
const template = templateOf(context);
const functions = functionsOf(template);

function only(type: string, from = template) {
  return propertiesOf(from, type);
}

/** The resource of a type whose name has this word. */
function entryOf(type: string, word: string): [name: string, resource: Resource] {
  const found = Object.entries(resourcesOf(template, type)).find(([name]) => name.includes(word));
  if (!found) throw new Error(`no ${type} of ${word}`);
  return found;
}

const { DistributionConfig: config } = only("AWS::CloudFront::Distribution");
const [origin] = config.Origins;
const [pageCache, cardCache] = ["pages", "cards"].map((name) =>
  Object.values(resourcesOf(template, "AWS::CloudFront::CachePolicy"))
    .map(({ Properties }) => Properties.CachePolicyConfig)
    .find(({ Name }) => Name.endsWith(`-${name}`)),
);
const SECURITY_HEADERS = "67f7725c-6f97-4210-82d7-5512b31e9d03";
const CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";

describe("The stack with a portal", () => {
  it("gives pages and API one name, and keeps no answer of the API", () => {
    const [api, cards, files, ...others] = config.CacheBehaviors;
    expect(others).toEqual([]);
    expect(api).toMatchObject({ PathPattern: "/api/*", CachePolicyId: CACHING_DISABLED });
    expect(cards).toMatchObject({ PathPattern: "/cards/*", ResponseHeadersPolicyId: SECURITY_HEADERS });
    expect(files).toMatchObject({ PathPattern: "/assets/*", ResponseHeadersPolicyId: SECURITY_HEADERS });
    expect(api.AllowedMethods).toContain("POST");
    expect(config.DefaultCacheBehavior.AllowedMethods ?? ["GET", "HEAD"]).toEqual(["GET", "HEAD"]);
    expect(config.DefaultCacheBehavior.ResponseHeadersPolicyId).toBe(SECURITY_HEADERS);
    expect(api.ResponseHeadersPolicyId).toBe(SECURITY_HEADERS);
    for (const each of [api, cards, files, config.DefaultCacheBehavior])
      expect(each.ViewerProtocolPolicy).toBe("redirect-to-https");
    for (const policy of [pageCache, cardCache]) expect(policy).toMatchObject({ MinTTL: 0, DefaultTTL: 0 });
  });

  it("keeps pages by language and query, and one card for each address", () => {
    const keptBy = (policy: Record<string, Record<string, Record<string, unknown>>>) => {
      const { CookiesConfig, HeadersConfig, QueryStringsConfig } =
        policy.ParametersInCacheKeyAndForwardedToOrigin ?? {};
      return {
        cookies: CookiesConfig?.Cookies,
        headers: HeadersConfig?.Headers,
        query: QueryStringsConfig?.QueryStringBehavior,
      };
    };
    expect(keptBy(pageCache)).toEqual({ cookies: ["language"], headers: ["Accept-Language"], query: "all" });
    expect(keptBy(cardCache)).toEqual({ cookies: undefined, headers: undefined, query: "none" });
  });

  it("keeps no page that failed for one visitor, to show it to another", () => {
    const kept = config.CustomErrorResponses.map((each: Record<string, number>) => [
      each.ErrorCode,
      each.ErrorCachingMinTTL,
    ]);
    expect(Object.fromEntries(kept)).toEqual({ 500: 0, 502: 0, 503: 0, 504: 0 });
  });

  it("gives the key of its distribution to the functions that it calls alone", () => {
    const having = Object.entries(functions).filter(
      ([, { properties }]) => properties.Environment?.Variables.PORTAL_KEY !== undefined,
    );
    expect(having.map(([name]) => name).sort()).toEqual(["cards", "portal", ...groups.map(({ name }) => name)].sort());
  });

  it("gives every function its URL, and the key of its distribution", () => {
    const { SITE_URL, PUBLIC_READS, PORTAL_KEY } = functions["votes-add"]?.properties.Environment.Variables ?? {};
    const [domain] = Object.keys(resourcesOf(template, "AWS::CloudFront::Distribution"));
    expect(SITE_URL).toEqual({ "Fn::Join": ["", ["https://", { "Fn::GetAtt": [domain, "DomainName"] }]] });
    expect(PUBLIC_READS).toBe("on");
    expect(origin.OriginCustomHeaders).toEqual([{ HeaderName: "x-portal-key", HeaderValue: PORTAL_KEY }]);
  });

  it("overwrites the address that a client claims", () => {
    const { FunctionCode } = only("AWS::CloudFront::Function");
    const request = { headers: { "x-portal-viewer": { value: "forged" } } };
    runInNewContext(`${FunctionCode}; handler(event)`, { event: { request, viewer: { ip: "192.0.2.7" } } });
    expect(request.headers["x-portal-viewer"]).toEqual({ value: "192.0.2.7" });
  });

  it("keeps the pages' files in a private bucket, which CloudFront alone reads and a deploy fills", () => {
    const [bucketName = "", bucket] = entryOf("AWS::S3::Bucket", "portalfiles");
    expect(Object.values(bucket.Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
    const [distribution] = Object.keys(resourcesOf(template, "AWS::CloudFront::Distribution"));
    const { Statement: granted } = entryOf("AWS::S3::BucketPolicy", "portalfiles")[1].Properties.PolicyDocument;
    const readers = granted.filter(({ Effect }: { Effect: string }) => Effect === "Allow");
    expect(readers).toHaveLength(1);
    expect(readers[0]).toMatchObject({ Action: "s3:GetObject", Principal: { Service: "cloudfront.amazonaws.com" } });
    expect(JSON.stringify(readers[0].Condition.StringEquals["AWS:SourceArn"])).toContain(distribution);
    expect(only("Custom::CDKBucketDeployment")).toMatchObject({
      Prune: false,
      SystemMetadata: { "cache-control": "public, max-age=31536000, immutable" },
    });
    // The rights of the function that fills it: one archive, this bucket, its log.
    const [, filler] = Object.entries(functions).find(([name]) => name.startsWith("CustomCDKBucketDeployment")) ?? [];
    expect(filler?.shared).toEqual([]);
    const rights = filler?.statements.map(({ Action, Resource }) => [Action, JSON.stringify(Resource)]);
    expect(rights).toEqual([
      ["s3:GetObject", expect.stringMatching(/cdk-\w+-assets-.*\/\w{64}\.zip/)],
      ["s3:ListBucket", JSON.stringify({ "Fn::GetAtt": [bucketName, "Arn"] })],
      ["s3:PutObject", expect.stringMatching(new RegExp(`${bucketName}.*/assets/\\*`))],
      [["logs:CreateLogStream", "logs:PutLogEvents"], expect.stringContaining("logs")],
    ]);
    expect(JSON.stringify(resourcesOf(template, "AWS::IAM::Policy"))).not.toContain("s3:");
  });

  it.each(["portal", "cards"])("gives the function %s a throttle, and no right to the table", (name) => {
    const { RouteSettings } = only("AWS::ApiGatewayV2::Stage");
    expect(RouteSettings["GET /cards/{proxy+}"].ThrottlingRateLimit).toBe(2);
    expect(RouteSettings["HEAD /cards/{proxy+}"].ThrottlingRateLimit).toBe(1);
    for (const path of ["/", "/{proxy+}"]) {
      expect(RouteSettings[`GET ${path}`].ThrottlingRateLimit).toBe(5);
      expect(RouteSettings[`HEAD ${path}`].ThrottlingRateLimit).toBe(1);
    }
    const { statements = [], shared = [], properties } = functions[name] ?? {};
    const read = { action: "dynamodb:GetItem", resource: tableArnOf(template), context: {} };
    expect(allows([...statements, ...shared], read)).toBe(false);
    expect(Object.keys(properties.Environment.Variables)).toEqual(["API_ORIGIN", "SITE_URL", "PORTAL_KEY"]);
  });

  it("answers at a domain of one's own, if both domain and certificate are given", () => {
    const certificateArn = "arn:aws:acm:us-east-1:123456789012:certificate/a";
    const own = templateOf({ ...context, domain: "feedback.example.com", certificateArn });
    const { Aliases, ViewerCertificate } = only("AWS::CloudFront::Distribution", own).DistributionConfig;
    expect(Aliases).toEqual(["feedback.example.com"]);
    expect(ViewerCertificate.AcmCertificateArn).toBe(certificateArn);
    expect(ViewerCertificate.MinimumProtocolVersion).toBe("TLSv1.2_2021");
    expect(functionsOf(own)["votes-add"]?.properties.Environment.Variables.SITE_URL).toBe(
      "https://feedback.example.com",
    );
    for (const wrong of [{ domain: "a.example" }, { certificateArn }, { siteUrl: "https://a.example" }])
      expect(() => templateOf({ ...context, ...wrong })).toThrow(/domain and certificateArn|siteUrl/);
  });

  it("leaves all of it out without portal=true", () => {
    expect(JSON.stringify(templateOf())).not.toMatch(/CloudFront|PORTAL_KEY|proxy\+/);
  });
});

describe("The pages' function", () => {
  const file = join(aFolder(), "index.mjs");
  let files: Record<string, string>;
  let ask: (method: string, path: string, headers?: Record<string, string>) => ReturnType<AnswerPage>;
  const get = (path: string, headers = {}) => ask("GET", path, { "x-portal-key": "k", ...headers });
  beforeAll(async () => {
    files = await buildPortal(file);
    const { handler } = await import(file);
    ask = (method, rawPath, headers = {}) =>
      handler({ rawPath, rawQueryString: "", headers: { ...headers }, requestContext: { http: { method } } });
    process.env.PORTAL_KEY = "k";
    process.env.API_ORIGIN = `http://127.0.0.1:${await listen(createGateway(endpoints))}`;
  });
  afterAll(() => {
    delete process.env.API_ORIGIN;
  });

  it("answers pages with what the API says, and names the files that they load", async () => {
    // The files are in the bucket.
    expect(readFileSync(file, "utf8")).not.toContain(Object.values(files)[0]);
    expect(Object.keys(files)).toContainEqual(expect.stringMatching(/^\/assets\/browser-\w+\.js$/));
    const page = await get("/", { "accept-language": "de" });
    expect(page.statusCode).toBe(200);
    expect(page.headers["cache-control"]).toBe("public, max-age=0, s-maxage=10");
    expect(page.body).toContain('<html lang="de">');
    const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(page.body) ?? [];
    expect(files).toHaveProperty([script]);
  });

  it("answers HEAD as GET, without the page", async () => {
    const page = await get("/");
    const head = await ask("HEAD", "/", { "x-portal-key": "k" });
    expect(head).toEqual({ ...page, body: "" });
  });

  it.each([{}, { "x-portal-key": "guessed" }])("answers nobody past CloudFront: %j", async (headers) => {
    const { statusCode, body } = await ask("GET", "/", headers);
    expect(statusCode).toBe(403);
    expect(body).not.toContain("<html");
  });

  it("counts for the visitor whom CloudFront names, and not for itself", async () => {
    newContainer({ RATE_LIMITS: "on", PORTAL_KEY: "k" });
    // No window ends while the test runs.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2031-05-05T00:00:00.000Z") });
    onTestFinished(() => {
      vi.useRealTimers();
      newContainer({ RATE_LIMITS: "off", PORTAL_KEY: "k" });
    });
    const author = await aMember();
    for (let n = 0; n < 20; n++) await derive((await aPost(author, { contentMarkdown: LONGEST_TEXT })).postId);
    for (const full of ["192.0.2.7", "127.0.0.1"])
      for (const count of limits.network(full, 1500).counts) await rates.hit(count);
    const statuses = async (viewer: string) => {
      const headers = { "x-portal-key": "k", "x-portal-viewer": viewer };
      // What one page took counts with the next one.
      return [(await get("/", headers)).statusCode, (await get("/", headers)).statusCode];
    };
    expect(await statuses("192.0.2.7")).toEqual([200, 503]);
    expect(await statuses("192.0.2.8")).toEqual([200, 200]);
  });

  it("says that pages are not there while the API answers nothing", async () => {
    process.env.API_ORIGIN = `http://127.0.0.1:${await listen(createServer((_, response) => response.destroy()))}`;
    const broken = await get("/");
    expect(broken.statusCode).toBe(503);
    expect(broken.headers["cache-control"]).toBe("no-store");
    // It can be read without the script.
    const post = await get("/posts/a-post");
    expect(post.statusCode).toBe(503);
    expect(post.body).toContain("<title>This page could not be loaded · Feedback</title>");
    expect(post.body).toMatch(/<h1[^>]*>This page could not be loaded<\/h1>/);
    expect(post.body).not.toContain("skeleton");
  });
});
