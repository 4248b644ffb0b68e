#!/bin/sh
# sh infra/smoke/probe-rights.sh <stage>: asks the real IAM, within a minute, whether a deployed function may do its
# transaction and nothing else. It lends the policy of votes-remove to a role of its own, which it deletes at the end.
# Every request names items that do not exist, so nothing is written.
set -eu

stage=${1:?"Usage: sh infra/smoke/probe-rights.sh <stage>"}
function=feedback-board-$stage-votes-remove
probe=feedback-board-probe-$$

of_function() { aws lambda get-function-configuration --function-name "$function" --query "$1" --output text; }
table=$(of_function Environment.Variables.TABLE_NAME)
role=$(of_function Role)
policy=$(aws iam get-role-policy --role-name "${role##*/}" --policy-name definition --query PolicyDocument --output json)
account=$(aws sts get-caller-identity --query Account --output text)

remove_role() {
  aws iam delete-role-policy --role-name "$probe" --policy-name definition || true
  aws iam delete-role --role-name "$probe" || true
}
trust='{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::'$account':root"},"Action":"sts:AssumeRole"}]}'
arn=$(aws iam create-role --role-name "$probe" --assume-role-policy-document "$trust" --query Role.Arn --output text)
trap remove_role EXIT
trap 'exit 130' INT TERM
aws iam put-role-policy --role-name "$probe" --policy-name definition --policy-document "$policy"

# A new role is known everywhere only after some seconds.
printf 'Waiting for the role '
for attempt in 1 2 3 4 5 6 7 8 9 10 11 12; do
  printf .
  sleep "${PROBE_PAUSE:-5}"
  keys=$(aws sts assume-role --role-arn "$arn" --role-session-name probe \
    --query 'Credentials.[AccessKeyId,SecretAccessKey,SessionToken]' --output text 2>/dev/null) || keys=
  # Two more rounds for its policy.
  if [ -n "$keys" ] && [ "$attempt" -ge 3 ]; then break; fi
done
printf '\n'
if [ -z "$keys" ]; then echo "The role $arn cannot be assumed with these credentials" >&2; exit 2; fi
# shellcheck disable=SC2086 # three words
set -- $keys

# Runs aws as the role: "allowed" if only the condition fails, "denied" if IAM says no.
ask() {
  said=$(AWS_ACCESS_KEY_ID=$1 AWS_SECRET_ACCESS_KEY=$2 AWS_SESSION_TOKEN=$3 aws dynamodb "$4" "$5" "$6" 2>&1) || true
  case $said in
    *AccessDenied*) echo denied ;;
    *ConditionalCheckFailed*) echo allowed ;;
    *) echo "no answer: $said" ;;
  esac
}

key() { printf '"TableName":"%s","Key":{"pk":{"S":"%s"},"sk":{"S":"%s"}},"ConditionExpression":"attribute_exists(pk)"' "$table" "$1" "$2"; }
own='{"TransactItems":[
  {"Delete":{'$(key USER#probe VOTE#probe)'}},
  {"Delete":{'$(key VOTES#probe probe)'}},
  {"ConditionCheck":{'$(key VOTES#probe another)'}},
  {"Update":{'$(key POSTS 'probe#VOTERS')',"UpdateExpression":"REMOVE edge"}}]}'
foreign='{"TransactItems":[{"Delete":{'$(key CREDENTIALS#probe CREDENTIALS)'}}]}'
alone='{'$(key USER#probe VOTE#probe)'}'

failed=0
expect() {
  printf '%-46s %s\n' "$2" "$3"
  if [ "$1" != "$3" ]; then failed=1; fi
}
transaction=$(ask "$@" transact-write-items --cli-input-json "$own")
expect allowed 'a transaction on its own families of keys' "$transaction"
expect denied 'a transaction on the password hashes' "$(ask "$@" transact-write-items --cli-input-json "$foreign")"
expect denied 'a write outside of a transaction' "$(ask "$@" delete-item --cli-input-json "$alone")"

if [ "$transaction" = denied ]; then
  echo 'Deploy with -c leadingKeys=off: docs/deploy.md, If the first deploy fails'
elif [ "$failed" = 0 ]; then
  echo 'As it should be'
else
  echo 'Not as it should be'
fi
exit "$failed"
