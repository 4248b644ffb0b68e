import { Duration, type Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { CfnPermission } from "aws-cdk-lib/aws-lambda";
import { type ISecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import { type Service, ServiceFunction } from "./service-function.ts";

// Much longer than a token lives, so that a token is never two rotations old.
const ROTATED_AFTER = Duration.days(90);

/** What signs the tokens, made by Secrets Manager; its versions are the keys (lib/auth/signing-keys.ts). A function of its own rotates it. */
export const addSigningSecret = (stack: Stack, service: Service): { secret: ISecret; rotation: ServiceFunction } => {
  const secret = new Secret(stack, "signing-secret", {
    description: `Signs the tokens of ${service.prefix}`,
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
  });
  const rotation = new ServiceFunction(stack, service, {
    name: "rotate-secret",
    access: {},
    statements: [
      new PolicyStatement({
        actions: [
          "secretsmanager:DescribeSecret",
          "secretsmanager:PutSecretValue",
          "secretsmanager:UpdateSecretVersionStage",
        ],
        resources: [secret.secretArn],
      }),
    ],
    memorySize: 256,
    timeout: Duration.seconds(30),
  });
  secret.addRotationSchedule("rotation", {
    rotationLambda: rotation,
    automaticallyAfter: ROTATED_AFTER,
    rotateImmediatelyOnUpdate: false,
  });
  // What the CDK allows here, it allows to Secrets Manager on behalf of any account.
  for (const child of rotation.node.findAll()) {
    if (child instanceof CfnPermission) child.sourceAccount = stack.account;
  }
  return { secret: secret as ISecret, rotation };
};
