#!/usr/bin/env bash
# Deploys a stage from AWS CloudShell, in a clone of this repository: asks four things, says what will happen, starts a
# build, prints the url and the setup code once, and checks the service. docs/deploy.md#from-the-browser
set -euo pipefail
cd "$(dirname "$0")/../.."

ask() { # ask <question> <usual answer> <pattern>
  local answer
  while true; do
    read -r -p "$1 [$2]: " answer
    answer=${answer:-$2}
    if [[ $answer =~ ^($3)$ ]]; then break; fi
    echo "Please answer ${3//|/ or }." >&2
  done
  echo "$answer"
}

output() { # output <stack> <name>
  aws cloudformation describe-stacks --stack-name "$1" --output text \
    --query "Stacks[0].Outputs[?OutputKey=='$2'].OutputValue"
}

build() { # build <name>=<value>...: starts the build with these variables, and waits for its end
  local overrides=() pair id status
  for pair in "$@"; do overrides+=("name=${pair%%=*},value=${pair#*=},type=PLAINTEXT"); done
  id=$(aws codebuild start-build --project-name "feedback-board-$stage" --query build.id --output text \
    --environment-variables-override "${overrides[@]}")
  echo "The build $id is running; its log: CloudWatch, /aws/codebuild/feedback-board-$stage"
  while true; do
    status=$(aws codebuild batch-get-builds --ids "$id" --query 'builds[0].buildStatus' --output text)
    if [ "$status" = SUCCEEDED ]; then return 0; fi
    if [ "$status" != IN_PROGRESS ]; then
      echo "The build ended: $status. Read its log." >&2
      return 1
    fi
    sleep "${POLL_SECONDS:-15}"
  done
}

address='[^ @<>",=]+@[^ @<>",=]+'
stage=$(ask "Name of the stage" dev '[a-z][a-z0-9-]{0,15}')
sender=$(ask "Sender of mails, an address that SES has verified, or none" none "none|$address")
portal=$(ask "With the portal's pages, yes or no" yes 'yes|no')
alarms=$(ask "Address for alarms, or none" none "none|$address")

if [ "$portal" = no ] && [ "$sender" != none ]; then
  echo "Mails lead to pages: with a sender choose the portal, or deploy with siteUrl (docs/deploy.md#deploy)." >&2
  exit 1
fi

echo
echo "This makes two stacks in ${AWS_REGION:-your region}: FeedbackBoard-$stage, and FeedbackBoard-$stage-builder, which deploys it."
echo "  Price  what people use, and 0.74 USD a month when nobody does (docs/costs.md); the build's minutes at AWS's price"
echo "  Time   some 15 minutes, an estimate: nobody has run this script on AWS yet"
echo "  Rights the builder's roles reach the parts of this stage; it is not an administrator"
if [ "$(ask "Go on, yes or no" no 'yes|no')" = no ]; then
  echo "Nothing was made."
  exit
fi

aws cloudformation deploy --stack-name "FeedbackBoard-$stage-builder" --no-fail-on-empty-changeset \
  --template-file infra/cloudshell/builder.json --capabilities CAPABILITY_NAMED_IAM \
  --parameter-overrides "Stage=$stage"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git archive --format=zip --output "$folder/source.zip" HEAD
aws s3 cp --only-show-errors "$folder/source.zip" "s3://$(output "FeedbackBoard-$stage-builder" Files)/source/source.zip"

# The build learns the hash alone.
code=$(openssl rand -hex 8)
hash=$(printf %s "$code" | openssl dgst -sha256 -r | cut -d' ' -f1)
is_portal=$([ "$portal" = yes ] && echo true || echo false)
mail=$([ "$sender" = none ] && echo none || echo "")
build ACTION=deploy "PORTAL=$is_portal" "MAIL=$mail" "MAIL_FROM=${sender/#none/}" "ALARM_EMAIL=${alarms/#none/}" \
  "SETUP_CODE_SHA256=$hash"

url=$(output "FeedbackBoard-$stage" BaseUrl)
page=$(output "FeedbackBoard-$stage" PortalUrl)
echo
if [ "$portal" = yes ]; then echo "The portal: $page   Now open $page/setup"; fi
echo "The API: $url"
echo "The setup code, shown this once: $code"
echo
read -r -p "Press Enter when the setup is done: twenty checks follow, which leave one test account. "
build ACTION=smoke "BASE_URL=$url"
echo "20 checks passed."
