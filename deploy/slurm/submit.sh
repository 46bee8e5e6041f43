#!/bin/bash
#
# Puts a benchmark into the queue, starts so many workers, and has the run directory written when they have ended:
#
#   export ROBOT_EVAL_QUEUE=postgres://robot_eval@db.example.org/robot_eval
#   deploy/slurm/submit.sh 16 my.yaml --agent random

set -euo pipefail

: "${ROBOT_EVAL_QUEUE:?set it to the address of the database: postgres://user@host/database}"

here=$(cd "$(dirname "$0")" && pwd)
workers=$1
shift
run=${RUN_ID:-slurm-$(date -u +%Y%m%dT%H%M%SZ)-$$}
robot-eval run "$@" --queue "$ROBOT_EVAL_QUEUE" --run-id "$run" --detach
array=$(sbatch --parsable --array="1-$workers" "$here/workers.sbatch")
# With several clusters it is `number;cluster`.
array=${array%%;*}
# However they ended: what was not finished is said, and can be pulled later.
sbatch --dependency="afterany:$array" "$here/pull.sbatch" "$run" --out "${RUNS:-runs}"
