from tb_nanwatch.capture.shadow import shadowed


class Thing:
    def name(self):
        return "own"


def test_an_attribute_is_shadowed_until_the_block_ends_even_by_an_exception():
    thing = Thing()
    try:
        with shadowed(thing, "name", lambda: "other"):
            assert thing.name() == "other"
            raise KeyError
    except KeyError:
        pass
    assert thing.name() == "own"
    assert vars(thing) == {}


def test_an_attribute_that_the_instance_had_before_comes_back():
    thing = Thing()
    thing.name = mine = lambda: "mine"
    with shadowed(thing, "name", lambda: "other"):
        assert thing.name() == "other"
    assert thing.name is mine
