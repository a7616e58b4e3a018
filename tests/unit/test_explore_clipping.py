import numpy as np
import pytest

from rnn_helpers.explore import clipping

pytestmark = pytest.mark.chapter("17")


@pytest.mark.parametrize("kind", clipping.CLIPPINGS)
def test_both_have_equal_initial_values_and_only_one_clips(kind):
    *_, made = clipping.clipped_and_not(
        "add two numbers", kind, 0.01, "SGD", 0.01, steps=3, every=1, seeds=2
    )
    free, held = made["not clipped"], made[kind]
    np.testing.assert_array_equal(free.loss[0], held.loss[0])
    assert (free.loss[1] != held.loss[1]).any()
    assert not free.clipped.any()
    assert held.clipped.all() == (kind != "on the states")


def test_the_plain_network_diverges_and_the_clipped_one_goes_on():
    *_, made = clipping.clipped_and_not("add two numbers", "by norm", 1.0, "SGD", 1.0, steps=60)
    assert (made["not clipped"].diverged_at >= 0).all()
    assert (made["by norm"].diverged_at < 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("task", clipping.TASKS)
@pytest.mark.parametrize("optimizer", clipping.OPTIMIZERS)
def test_every_task_is_trained_by_every_optimizer(task, optimizer):
    parts = clipping.clipped_and_not(
        task, "by element", 0.1, optimizer, 0.001, steps=4, every=2, seeds=2
    )
    lengths = [[len(h.loss) for h in made.values()] for made in parts]
    assert lengths == [[2, 2], [4, 4]]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"task": "walk"}, "task is 'walk'"),
        ({"clipping": "not clipped"}, "clipping is 'not clipped'"),
        ({"optimizer": "sgd"}, "optimizer is 'sgd'"),
        ({"threshold": 0}, "threshold is 0"),
        ({"lr": -1}, "lr is -1"),
    ],
)
def test_an_unknown_setting_is_named(wrong, message):
    settings = {
        **{"task": "hold a bit", "clipping": "by norm", "threshold": 1, "optimizer": "SGD"},
        "lr": 0.1,
    }
    with pytest.raises(ValueError, match=message):
        next(clipping.clipped_and_not(**(settings | wrong)))
