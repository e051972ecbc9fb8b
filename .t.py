import time,json,sys
from pipeline.storage import open_run; s=open_run(sys.argv[1])
from pipeline.report import write; m=write.report(s)
from pipeline.report import page as P, figures as F
from altair.utils import schemapi
import altair as alt, vl_convert
print(alt.__version__, vl_convert.__version__, vl_convert.get_vegalite_versions() if hasattr(vl_convert,'get_vegalite_versions') else '')
t=time.time(); sec=P.distributions(s,m); print('dist',time.time()-t)
schemapi.DEBUG_MODE=False
t=time.time(); sec=P.distributions(s,m); print('dist nodebug',time.time()-t)
for f in sec.figures:
    t=time.time(); d=f.chart.properties(title='x').to_dict(); a=time.time()-t
    t=time.time(); d=f.chart.properties(title='x').to_dict(validate=False); b=time.time()-t
    d['config']=F.CONFIG; j=json.dumps(d)
    t=time.time(); vl_convert.vegalite_to_svg(j, vl_version=F._vega_lite(d)); c=time.time()-t
    t=time.time(); vg=vl_convert.vegalite_to_vega(j, vl_version=F._vega_lite(d)); e=time.time()-t
    t=time.time(); vl_convert.vega_to_svg(vg); g=time.time()-t
    print(f.name, len(j), *[f"{x:.3f}" for x in (a,b,c,e,g)], time.process_time())
