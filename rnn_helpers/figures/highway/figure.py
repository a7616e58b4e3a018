"""The figure *highway*: the size of gradients by distance, in new and in trained networks."""

from rnn_helpers.explore.states import manifest

STEPS = manifest()["highway"]["controls"]["back"]["max"]
