import { afterAll, describe, expect, it } from "vitest";
import { LOCAL_TABLE_NAME } from "../../../infra/stack/stack.ts";
import {
  anApp,
  functionsOf,
  removeFolders,
  resourcesOf,
  type Template,
  templateOf,
} from "../../support/stack/stack.ts";

afterAll(removeFolders);

const withMail = {
  mailFrom: "Feedback <feedback@example.com>",
  siteUrl: "https://feedback.example.com",
  setupCode: "open sesame",
};

const bare = anApp();
const mailing = anApp(withMail);

/** The warnings of a synthesis. */
function warningsOf({ app, stack }: ReturnType<typeof anApp>): string[] {
  return app
    .synth()
    .getStackArtifact(stack.artifactId)
    .messages.map(({ entry }) => String(entry.data));
}

describe("the context of a deployment", () => {
  it("without mailFrom the stack sends no mail, warns, and has an output that says so", () => {
    expect(warningsOf(bare).join()).toContain("MAIL_CONFIG_MISSING");
    const template = templateOf(bare);
    expect(template.Outputs.Mail?.Value).toMatch(/^none: .*MAIL_CONFIG_MISSING/);
    for (const { properties, statements } of Object.values(functionsOf(template))) {
      expect(properties.Environment.Variables.MAIL_TRANSPORT).toBe("none");
      expect(JSON.stringify(statements)).not.toContain("ses:");
    }
  });

  it("with mailFrom the stack sends mails by SES, with links to the site and no warning", () => {
    expect(warningsOf(mailing)).toEqual([]);
    const template = templateOf(mailing);
    expect(template.Outputs.Mail?.Value).toBe(`sent by SES from ${withMail.mailFrom}`);
    for (const { properties } of Object.values(functionsOf(template))) {
      expect(properties.Environment.Variables).toMatchObject({
        MAIL_TRANSPORT: "ses",
        MAIL_FROM: withMail.mailFrom,
        SITE_URL: withMail.siteUrl,
      });
    }
  });

  it("the outputs name the base URL, the table and the allowed origins", () => {
    const { Outputs } = templateOf(bare);
    expect(JSON.stringify(Outputs.BaseUrl?.Value)).toMatch(/ApiEndpoint.*\/api\/v1/);
    expect(Outputs.TableName?.Value.Ref).toMatch(/^table/);
    expect(Outputs.AllowedOrigins?.Value).toBe("*");
  });

  it("without setupCode the stack warns that the first caller of setup owns the site", () => {
    const { setupCode: _, ...withoutCode } = withMail;
    expect(warningsOf(anApp(withoutCode)).join()).toContain("-c setupCode=");
    expect(() => anApp({ setupCode: "short" })).toThrow("Context setupCode must be at least 8 characters");
  });

  it("common passwords are refused unless the context allows them; verified addresses are asked for if it says so", () => {
    const settingsOf = (deployed: ReturnType<typeof anApp>) =>
      Object.values(functionsOf(templateOf(deployed)))[0]?.properties.Environment.Variables;
    expect(settingsOf(mailing)).toMatchObject({ COMMON_PASSWORDS: "refuse", SETUP_CODE: withMail.setupCode });
    expect(settingsOf(mailing)).not.toHaveProperty("REQUIRE_VERIFIED");
    expect(settingsOf(anApp({ ...withMail, commonPasswords: "allow", requireVerified: "true" }))).toMatchObject({
      COMMON_PASSWORDS: "allow",
      REQUIRE_VERIFIED: "on",
    });
    expect(() => anApp({ commonPasswords: "off" })).toThrow("Context commonPasswords must be refuse or allow");
    expect(() => anApp({ requireVerified: "true" })).toThrow("Context requireVerified needs mailFrom");
  });

  it("leadingKeys=off warns that the functions' rights are wide", () => {
    expect(warningsOf(anApp({ ...withMail, leadingKeys: "off" })).join()).toContain("leadingKeys=off");
    expect(warningsOf(anApp({ ...withMail, leadingKeys: "on" }))).toEqual([]);
  });

  it("allowedOrigins and alarmEmail are taken from the context", () => {
    const template = templateOf(
      anApp({ allowedOrigins: "https://a.example, http://localhost:5173", alarmEmail: "x@example.com" }),
    );
    const [api] = Object.values(resourcesOf(template, "AWS::ApiGatewayV2::Api"));
    expect(api?.Properties.CorsConfiguration).toMatchObject({
      AllowOrigins: ["https://a.example", "http://localhost:5173"],
      AllowCredentials: false,
    });
    expect(template.Outputs.AllowedOrigins?.Value).toBe("https://a.example,http://localhost:5173");
    const [subscription] = Object.values(resourcesOf(template, "AWS::SNS::Subscription"));
    expect(subscription?.Properties).toMatchObject({ Protocol: "email", Endpoint: "x@example.com" });
  });

  it("a restored table takes the place of the stack's own, for every function and for the stream", () => {
    const restoredTableArn = "arn:aws:dynamodb:eu-central-1:123456789012:table/restored";
    const restoredStreamArn = `${restoredTableArn}/stream/2026-01-01T00:00:00.000`;
    const template = templateOf(anApp({ restoredTableArn, restoredStreamArn }));
    expect(resourcesOf(template, "AWS::DynamoDB::Table")).toEqual({});
    for (const { properties, statements } of Object.values(functionsOf(template))) {
      expect(properties.Environment.Variables.TABLE_NAME).toBe("restored");
      const onItems = statements.filter(({ Condition }) => Condition && "Null" in Condition);
      for (const { Resource } of onItems) expect(Resource).toBe(restoredTableArn);
    }
    for (const { Properties } of Object.values(resourcesOf(template, "AWS::Lambda::EventSourceMapping"))) {
      expect(Properties.EventSourceArn).toBe(restoredStreamArn);
    }
    expect(template.Outputs.TableName?.Value).toBe("restored");
  });

  it.each([
    [{ restoredTableArn: "restored" }, "restoredTableArn"],
    [{ restoredStreamArn: "arn:aws:dynamodb:x:123456789012:table/t/stream/1" }, "restoredTableArn"],
    [{ stageName: "Prod!" }, "stageName"],
    [{ mailFrom: "nobody", siteUrl: "https://example.com" }, "mailFrom"],
    [{ mailFrom: "a@example.com" }, "siteUrl"],
    [{ siteUrl: "example.com" }, "siteUrl"],
    [{ allowedOrigins: "https://example.com/path" }, "allowedOrigins"],
    [{ alarmEmail: "x" }, "alarmEmail"],
    [{ leadingKeys: "no" }, "leadingKeys"],
  ])("the context %j is refused with one line that names it", (context, name) => {
    expect(() => anApp(context)).toThrow(new RegExp(`^Context .*${name}.*$`));
  });

  it("names of functions are valid, for a stage with a long name too", () => {
    const template = templateOf(anApp({ stageName: "a-very-long-name" }));
    const names = Object.values(resourcesOf(template, "AWS::Lambda::Function")).map(
      ({ Properties }) => Properties.FunctionName,
    );
    expect(names.filter((name) => name.length > 64)).toEqual([]);
  });

  it("dev and prod share no name, so they can live side by side", () => {
    const namesOf = (template: Template): string[] =>
      Object.values(template.Resources).flatMap(({ Properties }) =>
        [
          "FunctionName",
          "LogGroupName",
          "AlarmName",
          "DashboardName",
          "TableName",
          "Name",
          "QueueName",
          "TopicName",
        ].flatMap((property) => (typeof Properties?.[property] === "string" ? [Properties[property]] : [])),
      );
    const dev = namesOf(templateOf(bare));
    const prod = new Set(namesOf(templateOf(anApp({ stageName: "prod" }))));
    expect(dev.length).toBeGreaterThan(50);
    expect(dev.filter((name) => prod.has(name))).toEqual([]);
  });
});

describe("the local synthesis, for sam local", () => {
  const template = templateOf(
    anApp({ local: "true", "aws:cdk:enable-asset-metadata": true, "aws:cdk:enable-path-metadata": true }),
  );
  const functions = resourcesOf(template, "AWS::Lambda::Function");

  it("the local template declares what the env file sets, with a fixed table name and no secret", () => {
    for (const { Properties } of Object.values(functions)) {
      expect(Properties.Environment.Variables).toMatchObject({
        TABLE_NAME: LOCAL_TABLE_NAME,
        DYNAMODB_ENDPOINT: expect.stringMatching(/^http:/),
        SIGNING_SECRET: "",
        MAIL_TRANSPORT: "log",
      });
      expect(Properties.Architectures).toEqual([process.arch === "arm64" ? "arm64" : "x86_64"]);
    }
    expect(resourcesOf(template, "AWS::SecretsManager::Secret")).toEqual({});
    expect(warningsOf(anApp({ local: "true" }))).toEqual([]);
  });

  it("the local template has the asset metadata and the names by which SAM finds functions", () => {
    for (const { Properties, Metadata = {} } of Object.values(functions)) {
      expect(Metadata["aws:asset:path"]).toEqual(expect.any(String));
      expect(Metadata["aws:asset:property"]).toBe("Code");
      const name = Properties.FunctionName.replace("feedback-board-dev-", "");
      expect(Metadata["aws:cdk:path"]).toBe(`FeedbackBoard/${name}/Resource`);
    }
  });
});
