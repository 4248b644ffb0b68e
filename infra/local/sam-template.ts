/** A resource of a template. */
export type Resource = {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: resources of every type
  Properties: any;
  Metadata?: Record<string, string>;
};

/** A template: what it makes, by logical ids. */
export type Template = { Resources: Record<string, Resource> };

// SAM reads no other types. About each of the others it would print a line, twice.
const READ_BY_SAM = /^AWS::(Lambda::Function|ApiGatewayV2::(Api|Stage|Route|Integration))$/;

/** The name of a function: its construct is a child of the stack (`FeedbackBoard-dev/posts-list/Resource`). */
function nameOf({ Metadata }: Resource): string {
  return Metadata?.["aws:cdk:path"]?.split("/")[1] ?? "";
}

function functionFor(resource: Resource, codeOf: (name: string) => string): Resource {
  const { Role: _, TracingConfig: __, DeadLetterConfig: ___, LoggingConfig, ...Properties } = resource.Properties;
  const { LogGroup: ____, ...logging } = LoggingConfig;
  return {
    Type: resource.Type,
    Properties: { ...Properties, LoggingConfig: logging },
    // By these SAM finds a function's name and its code.
    Metadata: { ...resource.Metadata, "aws:asset:path": codeOf(nameOf(resource)) },
  };
}

function routingFor({ Type, Properties: { AccessLogSettings: _, ...Properties } }: Resource): Resource {
  return { Type, Properties };
}

/**
 * The part of a synthesised template that `sam local` reads; the code of each function is the folder that `codeOf`
 * names.
 */
export function samTemplate({ Resources }: Template, codeOf: (name: string) => string): Template {
  return {
    Resources: Object.fromEntries(
      Object.entries(Resources)
        .filter(([, { Type }]) => READ_BY_SAM.test(Type))
        .map(([id, resource]) => [
          id,
          resource.Type === "AWS::Lambda::Function" ? functionFor(resource, codeOf) : routingFor(resource),
        ]),
    ),
  };
}

/** The environment variables that every function of a template declares: SAM sets no others. */
export function declaredVariables({ Resources }: Template): string[] {
  const declared = Object.values(Resources).flatMap(({ Properties }) =>
    Properties.Environment ? [Object.keys(Properties.Environment.Variables)] : [],
  );
  return (declared[0] ?? []).filter((name) => declared.every((names) => names.includes(name)));
}
