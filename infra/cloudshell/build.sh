#!/usr/bin/env bash
# What the build of infra/cloudshell/builder.json does with the sources: it deploys the stage, or checks the service.
set -euo pipefail

if [ "${ACTION:-deploy}" = smoke ]; then
  npm run operate -- smoke "$BASE_URL" --origin "*"
  exit
fi

npx cdk deploy --require-approval never --role-arn "$EXECUTION_ROLE" \
  -c assetsBucket="$ASSETS_BUCKET" -c boundary="$BOUNDARY" \
  -c stageName="$STAGE" -c portal="$PORTAL" -c mail="$MAIL" -c mailFrom="$MAIL_FROM" \
  -c alarmEmail="$ALARM_EMAIL" -c setupCodeSha256="$SETUP_CODE_SHA256"
