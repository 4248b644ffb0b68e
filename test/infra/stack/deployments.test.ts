import { createHash } from "node:crypto";
import type { Node } from "constructs";
import { describe, expect, it } from "vitest";
import { readContext } from "../../../infra/stack/context.ts";
import * as stacks from "../../support/stack/stack.ts";

const withMail = { mailFrom: "a@example.com", siteUrl: "https://example.com" };

function contextFrom(values: Record<string, unknown>) {
  return readContext({ tryGetContext: (name: string) => values[name] } as unknown as Node);
}

function environmentsIn(template: stacks.Template): Record<string, string>[] {
  return Object.values(stacks.functionsOf(template)).map(({ properties }) => properties.Environment.Variables);
}

describe("the context of a deployment", () => {
  it.each([
    [{ restoredTableArn: "restored" }, "restoredTableArn"],
    [{ restoredStreamArn: "arn:aws:dynamodb:x:123456789012:table/t/stream/1" }, "restoredTableArn"],
    [{ stageName: "Prod!" }, "stageName"],
    [{ mailFrom: "nobody", siteUrl: "https://example.com" }, "mailFrom"],
    [{ mailFrom: "ünï@example.com", siteUrl: "https://example.com" }, "mailFrom"],
    [{ mailFrom: "a@example.com" }, "siteUrl"],
    [{ siteUrl: "example.com" }, "siteUrl"],
    [{ siteUrl: "https://example.com/#/feedback" }, "siteUrl"],
    [{ siteUrl: "https://example.com/?page=feedback" }, "siteUrl"],
    [{ allowedOrigins: "https://example.com/path" }, "allowedOrigins"],
    [{ allowedOrigins: "https://example.com, example.org" }, "allowedOrigins"],
    [{ alarmEmail: "x" }, "alarmEmail"],
    [{ leadingKeys: "no" }, "leadingKeys"],
    [{ setupCode: "short" }, "setupCode"],
    [{ commonPasswords: "off" }, "commonPasswords"],
    [{ requireVerified: "true" }, "requireVerified"],
    [{ portal: "yes" }, "portal"],
    [{ publicReads: "on" }, "publicReads"],
    [{ requireVerified: "1" }, "requireVerified"],
    [{ mail: "no" }, "mail"],
    [{ mail: "none", ...withMail }, "mailFrom"],
    [{ mail: "none", requireVerified: "true" }, "requireVerified"],
  ])("rejects %j with one line that names the value", (context, name) => {
    expect(() => contextFrom(context)).toThrow(new RegExp(`^Context .*${name}.*$`));
  });

  it("takes origins as people write them, in the form that browsers send", () => {
    const { allowedOrigins } = contextFrom({ allowedOrigins: "https://A.example/, http://localhost:5173" });
    expect(allowedOrigins).toEqual(["https://a.example", "http://localhost:5173"]);
  });

  it("rejects a number that is not a whole one of at least 1", () => {
    const rates = ["signInsPerSecond", "readsPerSecond", "writesPerSecond", "noticesPerSecond"];
    const limits = ["maxReadUnits", "maxWriteUnits", "dailyBudget", "reservedConcurrency"];
    for (const name of [...rates, ...limits])
      for (const value of ["0", "-1", "1.5", "many", "1e3"])
        expect(() => contextFrom({ [name]: value })).toThrow(`Context ${name} must be`);
  });
});

describe("a deployment without a context", () => {
  const { template, warnings } = stacks.synthesise();

  it("sends no mail, warns of that, and says so in an output", () => {
    expect(warnings.join()).toContain("MAIL_CONFIG_MISSING");
    expect(template.Outputs.Mail?.Value).toMatch(/^none: .*MAIL_CONFIG_MISSING/);
    for (const environment of environmentsIn(template)) expect(environment.MAIL_TRANSPORT).toBe("none");
    for (const { statements } of Object.values(stacks.functionsOf(template))) {
      expect(JSON.stringify(statements)).not.toContain("ses:");
    }
  });

  it("refuses common passwords and asks for no verified address", () => {
    const [environment] = environmentsIn(template);
    expect(environment).toMatchObject({ COMMON_PASSWORDS: "refuse" });
    expect(environment).not.toHaveProperty("REQUIRE_VERIFIED");
  });

  it("names the base URL, the table and the allowed origins in outputs", () => {
    expect(JSON.stringify(template.Outputs.BaseUrl?.Value)).toMatch(/ApiEndpoint.*\/api\/v1/);
    expect(template.Outputs.TableName?.Value.Ref).toMatch(/^table/);
    expect(template.Outputs.AllowedOrigins?.Value).toBe("*");
  });
});

describe("a deployment that chooses to have no mail", () => {
  const { template, warnings } = stacks.synthesise({ mail: "none", setupCode: "open sesame" });

  it("lets people sign up, gives no right to send, and warns of nothing", () => {
    expect(warnings).toEqual([]);
    expect(template.Outputs.Mail?.Value).toMatch(/^none, by choice/);
    for (const environment of environmentsIn(template)) expect(environment.MAIL_TRANSPORT).toBe("off");
    for (const { statements } of Object.values(stacks.functionsOf(template))) {
      expect(JSON.stringify(statements)).not.toContain("ses:");
    }
  });

  it("warns that the first caller of setup owns the site, without a code", () => {
    expect(stacks.synthesise({ mail: "none" }).warnings.join()).toContain("-c setupCode=");
  });
});

describe("a deployment that chooses every value", () => {
  const { template, warnings } = stacks.synthesise(stacks.chosen);

  it("leads the links that end notifications to the API, and warns of nothing", () => {
    expect(warnings).toEqual([]);
    const { send } = stacks.functionsOf(template);
    expect(JSON.stringify(send?.properties.Environment.Variables.API_URL)).toMatch(/ApiEndpoint.*\/api\/v1/);
  });

  it("sends mails by SES, with links to the site, allows common passwords and asks for verified addresses", () => {
    expect(template.Outputs.Mail?.Value).toBe(`sent by SES from ${stacks.chosen.mailFrom}`);
    const mail = { MAIL_TRANSPORT: "ses", MAIL_FROM: stacks.chosen.mailFrom, MAIL_LANGUAGE: "en" };
    const chosen = { SITE_URL: stacks.chosen.siteUrl, COMMON_PASSWORDS: "allow", REQUIRE_VERIFIED: "on" };
    const expected = { ...mail, ...chosen, NOTICES_PER_SECOND: "10" };
    for (const environment of environmentsIn(template)) expect(environment).toMatchObject(expected);
  });

  it("gives the hash of its setup code to setup only, and the code to no function", () => {
    const hash = createHash("sha256").update(stacks.chosen.setupCode).digest("hex");
    expect(stacks.functionsOf(template)["auth-set-up"]?.properties.Environment.Variables.SETUP_CODE_SHA256).toBe(hash);
    expect(JSON.stringify(template).split(hash)).toHaveLength(2);
    expect(JSON.stringify(template)).not.toContain(stacks.chosen.setupCode);
  });

  it("allows its origins alone, without credentials", () => {
    const [api] = Object.values(stacks.resourcesOf(template, "AWS::ApiGatewayV2::Api"));
    expect(api?.Properties.CorsConfiguration).toMatchObject({
      AllowOrigins: ["https://a.example", "http://localhost:5173"],
      AllowCredentials: false,
    });
    expect(template.Outputs.AllowedOrigins?.Value).toBe("https://a.example,http://localhost:5173");
  });
});

describe("a deployment", () => {
  it.each([
    ["that the first caller of setup owns the site, without setupCode", withMail, "-c setupCode="],
    ["that the functions' rights are wide, with leadingKeys=off", { leadingKeys: "off" }, "leadingKeys=off"],
  ])("warns %s", (_, context, words) => {
    expect(stacks.synthesise(context).warnings.join()).toContain(words);
  });
});

describe("a deployment with alarmEmail", () => {
  it.each([
    ["eu-central-1", 1, false],
    ["eu-north-1", 0, true],
  ])("makes a daily budget where CloudFormation has budgets, and says where not: %s", (region, count, isWarned) => {
    const { template, warnings } = stacks.synthesise({ alarmEmail: stacks.chosen.alarmEmail }, { env: { region } });
    expect(Object.keys(stacks.resourcesOf(template, "AWS::Budgets::Budget"))).toHaveLength(count);
    expect(warnings.join().includes(`No daily budget: CloudFormation has none in ${region}`)).toBe(isWarned);
  });
});

describe("a deployment on a restored table", () => {
  it("uses the restored table in place of its own, for every function and for the stream", () => {
    const restoredTableArn = "arn:aws:dynamodb:eu-central-1:123456789012:table/restored";
    const restoredStreamArn = `${restoredTableArn}/stream/2026-01-01T00:00:00.000`;
    const template = stacks.templateOf({ restoredTableArn, restoredStreamArn });
    expect(stacks.resourcesOf(template, "AWS::DynamoDB::Table")).toEqual({});
    for (const { properties, statements } of Object.values(stacks.functionsOf(template))) {
      expect(properties.Environment.Variables.TABLE_NAME).toBe("restored");
      const onItems = statements.filter(({ Condition }) => Condition && "Null" in Condition);
      for (const { Resource } of onItems) expect(Resource).toBe(restoredTableArn);
    }
    for (const { Properties } of Object.values(stacks.resourcesOf(template, "AWS::Lambda::EventSourceMapping"))) {
      expect(Properties.EventSourceArn).toBe(restoredStreamArn);
    }
    expect(template.Outputs.TableName?.Value).toBe("restored");
  });
});

describe("a deployment with a long stage name", () => {
  const template = stacks.templateOf({ stageName: "a-very-long-name" });

  it("holds valid names of functions", () => {
    const functions = Object.values(stacks.functionsOf(template));
    expect(functions.filter(({ properties }) => properties.FunctionName.length > 64)).toEqual([]);
  });

  it("shares no name with another stage, so that one account can have both", () => {
    const isName = /^(Function|LogGroup|Alarm|Dashboard|Table|Queue|Topic)?Name$/;
    const namesIn = ({ Resources }: stacks.Template): unknown[] => {
      const properties = Object.values(Resources).flatMap(({ Properties }) => Object.entries(Properties ?? {}));
      return properties.flatMap(([name, value]) => (isName.test(name) && typeof value === "string" ? value : []));
    };
    const dev = namesIn(stacks.templateOf());
    const other = new Set(namesIn(template));
    expect(dev.length).toBeGreaterThan(50);
    expect(dev.filter((name) => other.has(name))).toEqual([]);
  });
});

describe("the synthesis for sam local", () => {
  it("warns of nothing", () => {
    expect(stacks.synthesise(stacks.localContext).warnings).toEqual([]);
  });
});
