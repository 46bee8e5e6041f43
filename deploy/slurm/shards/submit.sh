#!/bin/bash
#
# Submits an array of so many shards, and a job that merges them when all have ended:
#
#   deploy/slurm/shards/submit.sh 8 my.yaml --agent random

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
shards=$1
shift
array=$(sbatch --parsable --array="1-$shards" "$here/array.sbatch" "$@")
# With several clusters it is `number;cluster`.
array=${array%%;*}
# However they ended: merging refuses by itself what is not complete.
sbatch --dependency="afterany:$array" "$here/merge.sbatch" "${RUNS:-runs/slurm-$array}"
