#===- mesh_worker.py - steps a graph over several devices ----------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Compiles a StableHLO text for a mesh and steps it. A program of its own: the
number of devices is fixed when a process first uses jax.

    python mesh_worker.py JOB.json            one process, all devices
    python mesh_worker.py JOB.json PID PORT   one of two, devices split

The job names the text, the number of devices, the file of inputs (`a0`, `a1`,
...; `s3_7` replaces argument 7 before step 3), which argument takes which
result, and the file for what was found. Process 0 writes.
"""

import json
import os
import sys

job = json.load(open(sys.argv[1]))
processes = 2 if len(sys.argv) > 2 else 1
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = ("--xla_force_host_platform_device_count=%d" %
                           (job["devices"] // processes))

import jax  # noqa: E402
import numpy as np  # noqa: E402
from jax._src.sharding_impls import GSPMDSharding  # noqa: E402
from jaxlib import _jax, xla_client  # noqa: E402

if processes > 1:
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(f"127.0.0.1:{sys.argv[3]}", processes,
                               int(sys.argv[2]))
jax.config.update("jax_enable_x64", True)

devices = jax.devices()
assert len(devices) == job["devices"]


def compile_text(text):
    options = xla_client.CompileOptions()
    options.num_replicas, options.num_partitions = 1, len(devices)
    build = options.executable_build_options
    build.num_replicas, build.num_partitions = 1, len(devices)
    build.use_spmd_partitioning = True
    build.use_shardy_partitioner = job.get("shardy", True)
    build.device_assignment = xla_client.DeviceAssignment.create(
        np.array([[d.id for d in devices]]))
    return devices[0].client.compile_and_load(
        text, _jax.DeviceList(tuple(devices)), options)


def shardings(found):
    """What the partitioner chose, as jax's shardings."""
    if found is None or len(devices) == 1:
        return lambda i: jax.sharding.SingleDeviceSharding(devices[0])
    return lambda i: GSPMDSharding(devices, found[i])


def whole(array):
    """The array on the host, gathered over processes."""
    if processes == 1:
        return np.asarray(array)
    from jax.experimental import multihost_utils
    return np.asarray(multihost_utils.process_allgather(array, tiled=True))


def main():
    text = open(job["text"]).read()
    given = np.load(job["inputs"], allow_pickle=True)["given"].item()
    loaded = compile_text(text)
    place = shardings(loaded.get_parameter_shardings())
    placed_out = shardings(loaded.get_output_shardings())

    def put(i, value):
        value = np.asarray(value)
        return jax.make_array_from_callback(value.shape, place(i),
                                            lambda index: value[index])

    shapes = [tuple(s) for s in job["result_shapes"]]
    arguments = [put(i, given[f"a{i}"]) for i in range(job["arguments"])]
    donated = None
    kept = {}
    for step in range(job["steps"]):
        for i in range(job["arguments"]):
            if f"s{step}_{i}" in given:
                arguments[i] = put(i, given[f"s{step}_{i}"])
        out = loaded.execute_sharded(arguments)
        if donated is None:
            donated = [i for i, a in enumerate(arguments) if a.is_deleted()]
        results = [
            jax.make_array_from_single_device_arrays(shapes[i], placed_out(i),
                                                     list(shards))
            for i, shards in
            enumerate(out.disassemble_into_single_device_arrays())]
        for argument, result in job["feedback"]:
            fed = results[result]
            if not fed.sharding.is_equivalent_to(place(argument), fed.ndim):
                # jax would refuse to donate this; a user's loop reshards.
                job.setdefault("resharded", []).append([argument, result])
                fed = jax.device_put(fed, place(argument))
            arguments[argument] = fed
        for result in job["keep_each_step"]:
            kept[f"r{step}_{result}"] = whole(results[result])
    for argument, result in job["feedback"]:
        kept[f"final{argument}"] = whole(arguments[argument])
    memory = loaded.get_compiled_memory_stats()
    if processes == 1 or sys.argv[2] == "0":
        np.savez(job["outputs"], found=np.array({
            "values": kept, "donated": donated,
            "resharded": job.get("resharded", []),
            "hlo": loaded.hlo_modules()[0].to_string(),
            "memory": {name: getattr(memory, f"{name}_size_in_bytes")
                       for name in ("argument", "output", "alias", "temp")},
            "argument_parts": [list(place(i).shard_shape(np.shape(
                given[f"a{i}"]))) for i in range(job["arguments"])],
        }, dtype=object))


main()
